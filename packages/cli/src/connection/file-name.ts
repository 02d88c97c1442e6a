/** Whether an argument names a file: by its ending alone, so that no file in a folder changes what a command does. */
export function isFileName(name: string): boolean {
  return /\.(?:db|sqlite3?)$/i.test(name)
}
