/** The first script. The page is on the screen before the console is run, which takes a slow machine some time. */
import type * as App from './app.tsx'
import './style.css'
import { startTheme } from './theme.ts'

startTheme()
reloadOnNewBuild()

/** Milliseconds. */
const longestWait = 100

const painted = new Promise<void>((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve))
  // A page in a hidden tab is not painted.
  setTimeout(resolve, longestWait)
})
void painted.then(async () => {
  try {
    const app: typeof App | undefined = await import('./app.tsx')
    // Undefined: the page is being reloaded.
    app?.startConsole()
  } catch (error) {
    showFailure()
    throw error
  }
})

/** Reloads the page if a chunk of its build does not come from the server, at most once a minute. */
function reloadOnNewBuild(): void {
  const place = 'minutebook-reloaded'
  const leastBetween = 60_000
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(place) ?? 0)
    if (Date.now() - last < leastBetween) return
    event.preventDefault()
    sessionStorage.setItem(place, String(Date.now()))
    location.reload()
  })
}

/** Says below the header that there is no console. */
function showFailure(): void {
  const says = document.createElement('p')
  says.textContent = 'The console did not load. Is the server still running, and can this browser reach it?'
  const button = document.createElement('button')
  button.textContent = 'Reload'
  button.className = 'rounded-md border border-line bg-surface px-3 py-1.5 font-medium hover:bg-sunken'
  button.addEventListener('click', () => location.reload())
  const box = document.createElement('div')
  box.setAttribute('role', 'alert')
  box.className = 'space-y-3 p-4'
  box.append(says, button)
  document.getElementById('console')?.append(box)
}
