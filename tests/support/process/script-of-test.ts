import { onTestFinished } from 'vitest'
import { spawnScript, type Script } from './script.ts'

/** Runs a script of `tests/support` in a process of its own, which ends with the test at the latest. */
export function startScript(script: string, ...args: string[]): Script {
  const child = spawnScript(script, args)
  onTestFinished(() => void child.process.kill('SIGKILL'))
  return child
}
