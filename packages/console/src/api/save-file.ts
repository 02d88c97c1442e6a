/**
 * Has the browser save what was fetched, as a download of that name.
 *
 * @example
 * saveFile('garden.jsonl', await response.blob())
 */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  // The browser reads it after this step.
  setTimeout(() => URL.revokeObjectURL(address), keptFor)
}

/** Milliseconds. */
const keptFor = 60_000
