import { fork } from 'node:child_process'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import type { KeptIn } from './kept-in.ts'
import type { Figures, Said, Told } from './play-process.ts'

/** A process that plays on one store. */
export interface Player {
  /** Throws `NoAnswer` if there is none within `limit` milliseconds, or if the process ends, such as for lack of memory. */
  ask(told: Told, limit?: number): Promise<Figures>
  stop(): Promise<void>
}

export class NoAnswer extends Error {}

export function startPlayer(keptIn: KeptIn): Player {
  const heap = Math.floor((totalmem() / 2 ** 20) * 0.7)
  const child = fork(join(import.meta.dirname, 'play-process.ts'), [JSON.stringify(keptIn)], {
    execArgv: ['--no-warnings', `--max-old-space-size=${heap}`],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  return {
    ask: (told, limit) =>
      new Promise((resolve, reject) => {
        const clear = (): void => {
          clearTimeout(timer)
          child.off('exit', onExit)
          child.off('message', onMessage)
        }
        const onExit = (): void => {
          clear()
          reject(new NoAnswer('A process of this benchmark ended before its time. What it said is above.'))
        }
        const onMessage = (said: Said): void => {
          clear()
          if ('error' in said) reject(new Error(said.error))
          else resolve(said.figures)
        }
        const onTime = (): void => {
          clear()
          child.kill('SIGKILL')
          reject(new NoAnswer(`No answer within ${limit} ms.`))
        }
        const timer = limit === undefined ? undefined : setTimeout(onTime, limit)
        child.once('exit', onExit)
        child.once('message', onMessage)
        child.send(told)
      }),
    stop: async () => {
      if (child.connected) child.send({ tell: 'end' } satisfies Told)
      await ended
    },
  }
}
