import { openBook, type TurnQueue, type Feed, type Model, type Store } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import {
  answersIn,
  openExperiments,
  participantThread,
  type Experiment,
  type Experiments,
  type RecordedAnswer,
} from '@minutebook/experiment/run'
import { requestHash } from 'minutebook/inspect'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { scriptedModel } from '@minutebook/testing'
import { executioner } from './kill-plan.ts'
import { market, type Milestone } from './market.ts'
import { mortalQueue, mortalStore } from './mortal.ts'
import { clerk, shop } from './shop.ts'

/**
 * What an instance is made of. The folder holds the answers and the plan of kills, and gets what is done outside of the
 * log.
 */
export interface Doomed {
  readonly folder: string
  /** Milliseconds that a model takes for each of its words. */
  readonly pace: number
  readonly store: Store
  readonly queue: TurnQueue
  readonly feed?: Feed
}

/** A model call, as it is counted outside of the log. */
export interface CountedCall {
  readonly participant: string
  readonly hash: string
  /** Whether an answer to this prompt was on record when it was made. */
  readonly isAnswered: boolean
}

/** Begins the run "market" unless somebody did, and runs it until this process dies. */
export async function live({ folder, pace, ...given }: Doomed): Promise<Experiments> {
  const fate = executioner(folder)
  const store = mortalStore(given.store, fate)
  const queue = mortalQueue(given.queue, fate)
  const answers = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8')) as Readonly<
    Record<string, RecordedAnswer>
  >
  const at: Milestone = async (kind) => {
    fate.at(kind)
    await pause(pace)
  }
  const { wire } = setUpIn(folder)
  const played = experimentIn(folder, at)
  const book = openBook({ store, queue, clock: systemClock, window, ...(given.feed && { feed: given.feed }) })
  const experiments = openExperiments({
    store,
    queue,
    book,
    clock: systemClock,
    ...(given.feed && { feed: given.feed }),
    experiment: () => played,
    // Clerks are told of interruptions, of which there is no record.
    thread: ({ run, name }) => ({
      window,
      model:
        played.name === 'shop'
          ? scriptedModel(
              Array.from({ length: 100 }, () => clerk(name)),
              { wire, model: 'm' },
            )
          : countedModel({ store: given.store, folder, thread: participantThread(run, name), name, answers, at, wire }),
    }),
  })
  await book.work({
    ...experiments.work,
    onError: (thread, error) => console.log('error', thread, error instanceof Error ? error.stack : String(error)),
  })
  try {
    await experiments.begin(runName, played)
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'run_exists') throw error
  }
  return experiments
}

export const runName = 'the-run'
/** Small enough that old rounds are folded. */
export const window = 3000

function experimentIn(folder: string, at: Milestone): Experiment {
  const { experiment, rounds } = setUpIn(folder)
  return experiment === 'market'
    ? market({ rounds, at })
    : shop({ rounds, ship: (text) => appendFileSync(join(folder, 'shipped'), `${text}\n`), at })
}

function setUpIn(folder: string): {
  readonly experiment: 'market' | 'shop'
  readonly rounds: number
  readonly wire: 'openai' | 'ollama'
} {
  return JSON.parse(readFileSync(join(folder, 'which.json'), 'utf8')) as ReturnType<typeof setUpIn>
}

interface Counted {
  readonly store: Store
  readonly folder: string
  readonly thread: string
  readonly name: string
  readonly answers: Readonly<Record<string, RecordedAnswer>>
  readonly at: Milestone
  readonly wire: 'openai' | 'ollama'
}

/** Gives recorded answers, word by word, and counts its calls in a file. */
function countedModel({ store, folder, thread, name, answers, at, wire }: Counted): Model {
  const model: Model = async function* ({ messages, tools }) {
    const hash = requestHash(messages, tools)
    const isAnswered = answersIn(await store.read(thread)).some((known) => known.hash === hash)
    appendFileSync(
      join(folder, 'calls'),
      `${JSON.stringify({ participant: name, hash, isAnswered } satisfies CountedCall)}\n`,
    )
    await at('model is called')
    const answer = answers[hash]
    if (!answer)
      throw new Error(`No answer is on record to this prompt of ${name}: ${JSON.stringify(messages.at(-1)?.content)}`)
    const { message, finish, usage } = answer
    for (const word of ((message.content ?? '') as string).split(/(?<= )/)) {
      await at('model speaks')
      if (word !== '') yield { type: 'text', text: word }
    }
    await at('model ends')
    yield { type: 'end', message, finish, usage }
  }
  return Object.assign(model, { model: 'm', wire })
}
