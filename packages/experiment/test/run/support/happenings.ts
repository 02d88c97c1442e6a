import type {
  Applied,
  Begun,
  Changes,
  Effect,
  Play,
  Played,
  RunEvent,
  RoundEnd,
  Value,
} from '@minutebook/experiment/run'

/** Events of a run, in few words. */
export const begun = (environment: Readonly<Record<string, Value>> = {}, facts: Partial<Begun> = {}): RunEvent => ({
  type: 'begun',
  name: 'e',
  seed: 1,
  definition: 'e',
  environment,
  participants: { ann: 'm', bob: 'm', cy: 'm' },
  prices: {},
  ...facts,
})

export const round = (
  number: number,
  play: Play,
  changes: Changes = {},
  order: readonly string[] = ['ann', 'bob', 'cy'],
): RunEvent => ({ type: 'roundStart', round: number, name: '', play, order, changes })

export const played = (number: number, participant: string, facts: Partial<Played> = {}): RunEvent => ({
  type: 'played',
  round: number,
  participant,
  turn: 0,
  attempt: 0,
  status: 'complete',
  text: `${participant} at ${number}`,
  asked: 'a',
  head: 'h',
  calls: [],
  ...facts,
})

export const failed = (number: number, participant: string, attempt: number, facts: Partial<Played> = {}): RunEvent =>
  played(number, participant, {
    attempt,
    status: 'failed',
    text: '',
    reason: { code: 'model_failed', message: 'it is away' },
    ...facts,
  })

export const effect = (
  number: number,
  participant: string,
  call: number,
  changes: Changes,
  facts: Partial<Effect> = {},
): RunEvent => ({
  type: 'effect',
  round: number,
  participant,
  turn: 0,
  call,
  tool: 'set',
  input: {},
  result: null,
  told: 'ok',
  changes,
  status: 'done',
  ...facts,
})

export const told = (
  number: number,
  participant: string,
  to: string,
  text = 'psst',
  facts: Partial<Effect> = {},
): RunEvent => effect(number, participant, 0, {}, { tool: 'tell', input: { to, text }, ...facts })

export const roundEnd = (number: number, changes: Changes = {}, applied: readonly Applied[] = []): RoundEnd => ({
  type: 'roundEnd',
  round: number,
  applied,
  changes,
})

export const wish = (type: 'paused' | 'resumed' | 'stopped' | 'retried', at = 0): RunEvent => ({ type, at })
