/** Whether a link may be followed: a whole address of the web, or of mail. */
export function isSafe(href: string): boolean {
  try {
    const { protocol, username, password } = new URL(href)
    return (protocol === 'https:' || protocol === 'mailto:') && username === '' && password === ''
  } catch {
    return false
  }
}
