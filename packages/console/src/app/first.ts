/** The first script. The page is on the screen before the console is run, which takes a slow machine some time. */
import './style.css'
import { startTheme } from './theme.ts'

startTheme()

/** Milliseconds. */
const longestWait = 100

const painted = new Promise<void>((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve))
  // A page in a hidden tab is not painted.
  setTimeout(resolve, longestWait)
})
void painted.then(async () => (await import('./app.tsx')).startConsole())
