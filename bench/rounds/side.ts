import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Round, Said, Told } from './round.ts'

/** One of those that are compared: a benchmark that runs in a process of its own, on the sources of one checkout. */
export interface Side {
  round(): Promise<Round>
  stop(): Promise<void>
}

/** What lets a process run on the sources of a checkout. Commits from before November 2026 have it elsewhere. */
export function loaderIn(checkout: string): string {
  const places = ['tests/support/from-sources.ts', 'packages/core/test/support/from-sources.ts']
  return (
    places.map((place) => join(checkout, place)).find((file) => existsSync(file)) ?? join(checkout, places[0] ?? '')
  )
}

/**
 * Starts a program of this folder on the sources of a checkout, and waits until it is ready. If that checkout has the
 * program, its own is run: what it calls may have other names there.
 */
export async function startSide(checkout: string, program: string, args: readonly string[] = []): Promise<Side> {
  const loader = pathToFileURL(loaderIn(checkout)).href
  const child = fork(programIn(checkout, program), args, {
    execArgv: ['--no-warnings', '--import', loader],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const heard = (): Promise<Said> =>
    new Promise((resolve, reject) => {
      const fail = (code: number | null): void =>
        reject(
          new Error(
            `${program} ended with ${code ?? 'a signal'} on the sources in ${checkout}; what it said is above.`,
          ),
        )
      child.once('exit', fail)
      child.once('message', (said) => {
        child.off('exit', fail)
        resolve(said as Said)
      })
    })
  const tell = (told: Told): void => void child.send(told)
  await heard()
  return {
    round: async () => {
      const answer = heard()
      tell('round')
      const said = await answer
      if (!('round' in said)) throw new Error(`${program} did not answer with a round.`)
      return said.round
    },
    stop: async () => {
      if (child.connected) tell('end')
      await ended
    },
  }
}

/** The program that would be run on the sources of a checkout. */
export function programIn(checkout: string, program: string): string {
  const own = join(checkout, 'bench/rounds', program)
  return existsSync(own) ? own : join(import.meta.dirname, program)
}
