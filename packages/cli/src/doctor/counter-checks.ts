import { printableLine, type Archive } from '@minutebook/server'
import type { KeptReceipt } from 'minutebook/inspect'
import { counted } from '../terminal/text.ts'
import { ok, warn, type Check } from './check.ts'

/** Compares predicted with reported token counts of the newest threads. */
export async function counterChecks(archive: Archive): Promise<Check[]> {
  const { threads } = await archive.threads({ limit: looked })
  const calls = new Map<string, KeptReceipt[]>()
  for (const { thread, model } of threads) {
    const name = printableLine(model ?? 'a model without a name')
    calls.set(name, [...(calls.get(name) ?? []), ...(await archive.receipts(thread)).slice(-latest)])
  }
  const checks = [...calls].flatMap(([model, receipts]) => errorCheck(model, receipts))
  return checks.length === 0 ? [ok('counter', 'no recorded model call reports its token count')] : checks
}

const looked = 20
const latest = 100

function errorCheck(model: string, receipts: readonly KeptReceipt[]): Check[] {
  const calls = receipts.filter(isTelling)
  const errors = calls.map(errorOf).toSorted((one, other) => one - other)
  const [lowest = 0] = errors
  // A prediction that is too low is worse than any that is too high.
  const worst = lowest <= -0.005 ? lowest : errors.at(-1)
  const median = errors[errors.length >> 1]
  if (worst === undefined || median === undefined) return []
  const says = `${model}: predictions are ${share(median)} in the median of ${counted(errors.length, 'call')}, ${share(worst)} at worst`
  const fix = `Name the model's own tokenizer: models.${model}.counter: path/to/tokenizer.json (or o200k).`
  if (calls.some(isFarBelow)) return [warn('counter', `${says}: a full window could overflow`, fix)]
  if (median <= 0.5) return [ok('counter', says)]
  return [
    errors.length < learning
      ? ok('counter', `${says}; the gateway learns from the first ${learning}`)
      : warn('counter', `${says}: much of the window stays empty`, fix),
  ]
}

/** The number of reports after which the gateway scales its estimate. */
const learning = 20
/** Tokens that a template may add by itself, which are not an error of the counter. */
const ofTemplate = 16

/** Whether a report can be compared. A tiny count cannot, nor one of another prompt or of the uncached rest of one. */
function isTelling({
  tokens: {
    predicted,
    reported: { prompt },
  },
  truncated,
}: KeptReceipt): boolean {
  return (
    prompt !== undefined && truncated !== 'yes' && predicted >= 16 && prompt >= predicted / 5 && prompt <= predicted * 5
  )
}

function isFarBelow({
  tokens: {
    predicted,
    high,
    reported: { prompt = 0 },
  },
}: KeptReceipt): boolean {
  return prompt > Math.max(high ?? 0, predicted * 1.02 + ofTemplate)
}

function errorOf({
  tokens: {
    predicted,
    reported: { prompt = predicted },
  },
}: KeptReceipt): number {
  return predicted / prompt - 1
}

function share(error: number): string {
  const percent = Math.round(Math.abs(error) * 100)
  if (percent === 0) return 'exact'
  return `${percent}% too ${error > 0 ? 'high' : 'low'}`
}
