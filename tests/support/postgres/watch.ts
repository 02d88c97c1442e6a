import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * Starts a process that is to clean up behind this one: its input closes when this process ends, in whatever way.
 * Returns what closes it before that, and resolves when all is cleaned up.
 */
export function watch(command: string, args: readonly string[], complains = false): () => Promise<void> {
  // In a session of its own: ctrl-C does not reach it.
  const child = spawn(command, args, {
    cwd: '/',
    stdio: ['pipe', 'ignore', complains ? 'inherit' : 'ignore'],
    detached: true,
  })
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const input = child.stdin as Socket
  input.on('error', () => undefined)
  child.unref()
  input.unref()
  return async () => {
    child.ref()
    input.end()
    await ended
  }
}
