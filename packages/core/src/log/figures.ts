import { wellFormed } from './json.ts'

/**
 * What is counted of model calls? A store adds figures in the transaction that appends the entry of a call, and sums
 * them by hour, model and key. They say nothing of what was said, so they stay when a thread is erased or removed.
 */
export const figureNames = [
  /** Model calls that have a receipt. */
  'calls',
  /** Of these: failed, stopped by the client, or asked again because the server refused or the answer was unfit. */
  'failed',
  'cancelled',
  'resent',
  /** Questions that never reached a model, because no prompt could be made: it did not fit. */
  'unsent',
  /** Calls whose prompt the server cut, from which messages were left out, in which messages were clipped. */
  'cutCalls',
  'omittedCalls',
  'clippedCalls',
  /** Calls in which the question itself was not sent whole. */
  'clippedQuestions',
  /** Tokens of prompts as predicted, and how many of them were the beginning of the previous prompt. */
  'sentTokens',
  'reusedTokens',
  /** Tokens of prompts that servers say they read, had in their cache, and did not read. */
  'readTokens',
  'cachedTokens',
  'cutTokens',
  /** Tokens of answers, as servers report them. */
  'answerTokens',
  /** Entries with each verdict, over all calls. */
  'verbatim',
  'clipped',
  'recalled',
  'digested',
  'outlined',
  'omitted',
] as const

/** A number for each name: whole, and 0 or more. */
export type Figures = Readonly<Record<(typeof figureNames)[number], number>>

/** What an append adds to the figures. */
export interface NewCount {
  /** The id of the entry that is counted, one of the append. The figures are added only if the log did not have it. */
  readonly entry: string
  /** Hours since 1970. */
  readonly hour: number
  /** The model that was called. At most `mostModels` are told apart for each hour and key. */
  readonly model: string
  /** On whose behalf. At most `mostKeys` are told apart for each hour. */
  readonly key: string
  readonly figures: Partial<Figures>
}

/** The sum of some hours, for one model and key. Null: all others, if there were too many to tell apart. */
export interface StoredFigures {
  /** The first hour. */
  readonly hour: number
  readonly model: string | null
  readonly key: string | null
  readonly figures: Figures
}

/** Which figures are read. */
export interface FigureQuery {
  /** The first hour, and the hour to stop before. Default: all. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** How many hours are summed, counted from `from`. Default: 1. */
  readonly step?: number | undefined
}

/** How many models are told apart for each hour and key. Clients choose their names. */
export const mostModels = 50
/** How many keys are told apart for each hour. */
export const mostKeys = 200
const longestName = 120

/** The most that one call adds to a figure. */
const mostCounted = 2 ** 40

/** Whether this can be a count. What a server reports may be any number. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= mostCounted
}

/** The name of a model or of a key as figures have it: long ones are cut. */
export function figureName(name: string): string {
  return name.length > longestName ? wellFormed(name.slice(0, longestName)) : name
}

/** A count as a store writes it: names as JSON, which no text column refuses, and figures in the order of their names. */
export interface CountText {
  readonly hour: number
  readonly model: string
  readonly key: string
  readonly values: readonly number[]
}

/** The name of all others. It is not JSON, so no other name is the same. */
export const otherName = ''

/** The count as texts. Undefined if nothing is counted, or if the entry is not among those that are new. */
export function countText(count: NewCount | undefined, isNew: (id: string) => boolean): CountText | undefined {
  if (!count || !isNew(count.entry)) return undefined
  const { hour, model, key, figures } = count
  const values = figureNames.map((name) => (isCount(figures[name]) ? Math.round(figures[name]) : 0))
  return { hour, model: nameText(model), key: nameText(key), values }
}

function nameText(name: string): string {
  return JSON.stringify(figureName(name))
}

/** A row of a store as it is returned. `sums`: in the order of `figureNames`. */
export function countedFrom(hour: number, model: string, key: string, sums: readonly number[]): StoredFigures {
  const figures = Object.fromEntries(figureNames.map((name, index) => [name, sums[index] ?? 0])) as Figures
  return { hour, model: nameFrom(model), key: nameFrom(key), figures }
}

function nameFrom(text: string): string | null {
  return text === otherName ? null : (JSON.parse(text) as string)
}

/** Sums figures by name. */
export function sumFigures(all: Iterable<Partial<Figures>>): Figures {
  const sums = Object.fromEntries(figureNames.map((name) => [name, 0])) as Record<keyof Figures, number>
  for (const figures of all) for (const name of figureNames) sums[name] += figures[name] ?? 0
  return sums
}

/** The figures of a memory store. */
export interface MemoryFigures {
  add(count: CountText): void
  read(query?: FigureQuery): readonly StoredFigures[]
}

export function memoryFigures(): MemoryFigures {
  /** By hour, key and model. */
  const hours = new Map<number, Map<string, Map<string, readonly number[]>>>()
  return {
    add: ({ hour, model, key, values }) => {
      const keys = hours.get(hour) ?? new Map<string, Map<string, readonly number[]>>()
      hours.set(hour, keys)
      const keptKey = keys.has(key) || keys.size < mostKeys ? key : otherName
      const models = keys.get(keptKey) ?? new Map<string, readonly number[]>()
      keys.set(keptKey, models)
      const keptModel = models.has(model) || models.size < mostModels ? model : otherName
      models.set(keptModel, added(models.get(keptModel), values))
    },
    read: ({ from = 0, to = Infinity, step = 1 } = {}) => {
      const sums = new Map<string, readonly [hour: number, model: string, key: string, values: readonly number[]]>()
      for (const [hour, keys] of hours) {
        if (hour < from || hour >= to) continue
        const first = from + Math.floor((hour - from) / step) * step
        for (const [key, models] of keys)
          for (const [model, values] of models) {
            const place = JSON.stringify([first, model, key])
            sums.set(place, [first, model, key, added(sums.get(place)?.[3], values)])
          }
      }
      return [...sums.values()].map((sum) => countedFrom(...sum)).toSorted((one, other) => one.hour - other.hour)
    },
  }
}

function added(sums: readonly number[] | undefined, values: readonly number[]): readonly number[] {
  return values.map((value, index) => value + (sums?.[index] ?? 0))
}
