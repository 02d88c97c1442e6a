import { homedir } from 'node:os'
import { sep } from 'node:path'

/** A path as people write it: what is below their home begins with `~`. */
export function homePath(path: string, home: string = homedir()): string {
  return home.length > 1 && path.startsWith(`${home}${sep}`) ? `~${path.slice(home.length)}` : path
}
