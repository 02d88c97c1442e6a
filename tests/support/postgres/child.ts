import { onTestFinished } from 'vitest'
import { spawnChild, type Child } from './spawned.ts'

/** Runs a script of this folder in a process of its own, which ends with the test at the latest. */
export function startChild(script: string, ...args: string[]): Child {
  const child = spawnChild(script, args)
  onTestFinished(() => void child.process.kill('SIGKILL'))
  return child
}
