import { readFileSync } from 'node:fs'

export interface User {
  readonly uid: number
  readonly gid: number
}

/**
 * Who runs the server: Postgres refuses to run as root, so root lends it another user. Undefined: whoever runs this
 * process.
 */
export function serverUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const [, , uid, gid] = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? []
  if (uid === undefined || gid === undefined)
    throw new Error(
      'There is neither a user "postgres" nor a user "nobody" to run Postgres as: run the tests as a user who is not root.',
    )
  return { uid: Number(uid), gid: Number(gid) }
}
