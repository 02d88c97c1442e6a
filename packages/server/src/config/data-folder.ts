import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from './environment.ts'

/** Where a program keeps what belongs to a user, on this kind of system. */
export function dataFolder(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'minutebook')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'minutebook')
  const shared = environment['XDG_DATA_HOME']
  // A relative path there is to be ignored.
  return join(shared?.startsWith('/') ? shared : join(home, '.local', 'share'), 'minutebook')
}
