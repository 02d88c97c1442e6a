const place = 'minutebook-reloaded'

/** A part that the server no longer has is of an older build: the page is loaded again, but not over and over. */
export function reloadOnNewBuild(): void {
  addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(place) ?? 0)
    if (Date.now() - last < leastBetween) return
    event.preventDefault()
    sessionStorage.setItem(place, String(Date.now()))
    location.reload()
  })
}

/** Milliseconds. */
const leastBetween = 60_000
