import type { Store } from 'minutebook'
import {
  assumedWindow,
  discoverWindow,
  isSameModel,
  namesWindow,
  type FoundWindow,
  type WindowSource,
} from 'minutebook/wire'
import type { ModelConfig } from '../config/config.ts'
import type { ProtocolName } from '../config/settings.ts'
import type { ReadCurves, ReadWindow } from '../truncation/truncation.ts'
import { createAsking } from './ask.ts'
import type { UpstreamClient } from './call.ts'
import { createLearntWindows, type LearntPlace } from './learnt-windows.ts'
import type { Upstream } from './upstream.ts'

/** The model of a request. */
export interface RequestedModel {
  readonly tenant: string
  readonly upstream: Upstream
  readonly model: string
  readonly protocol: ProtocolName
  /** `options.num_ctx` of the request. */
  readonly numCtx?: number | undefined
}

/** The model whose window is asked for, who asks, and what the request says about it. */
export interface WindowQuestion extends RequestedModel {
  /** The name of the key; '' without keys. */
  readonly owner: string
  /** Tokens of the answer that the request asks for: num_predict, max_tokens, max_completion_tokens. */
  readonly output?: number | undefined
  /** Whether the upstream is asked again, despite a recent answer. Default: false. */
  readonly again?: boolean | undefined
}

/** Finds the window that a model really has. */
export interface Windows {
  /** Never rejects: if the window cannot be found out, it is assumed, and marked as such. */
  of(question: WindowQuestion): Promise<Window>
  /**
   * The upstream refused a prompt and named its window. Kept for the tenant until the model changes, unless the request
   * set `num_ctx` itself, or the refusal may quote it. `sent`: all text of the request, as JSON. Never rejects.
   */
  refused(model: RequestedModel, window: number, sent: string): Promise<void>
  /** The upstream has read a prompt of `tokens` tokens, by its own count: so its window is at least that large. */
  read(model: RequestedModel, tokens: number): void
}

export interface WindowsOptions {
  /** What was seen of servers. Default: nothing. */
  readonly readings?: Pick<ReadCurves, 'windowOf'> | undefined
  /** The store for what refusals say. Default: memory only. */
  readonly storeOf?: ((tenant: string) => Pick<Store, 'records'>) | undefined
  /** Whether an idle Ollama server may be asked to load a model. Default: true. */
  readonly load?: boolean | undefined
  readonly now?: (() => number) | undefined
}

/**
 * @example
 * const { window, source } = await createWindows(config.models, upstreamClient).of({ tenant, owner, upstream, model: 'gemma3:4b', protocol: 'ollama' })
 */
export function createWindows(
  models: Readonly<Record<string, ModelConfig>>,
  upstreamClient: UpstreamClient,
  { readings, storeOf, load, now = Date.now }: WindowsOptions = {},
): Windows {
  const asking = createAsking(upstreamClient, now)
  const learnt = createLearntWindows(storeOf, now)
  const termsOf = ({ model, protocol, numCtx, output }: Omit<WindowQuestion, 'owner'>): WindowTerms => ({
    numCtx,
    output,
    configured: configuredFor(models, model),
    takesNumCtx: protocol === 'ollama',
  })
  const found = (
    { upstream, model, again = false }: Omit<WindowQuestion, 'owner'>,
    terms: WindowTerms,
  ): Promise<FoundWindow> => {
    if (isFixed(terms)) return Promise.resolve({})
    return discoverWindow(asking(upstream, again), {
      model,
      load,
      ollama: upstream.protocol === undefined || upstream.protocol === 'ollama',
      limitOnly: sizeAsked(terms) !== undefined,
    }).catch(() => ({}))
  }
  return {
    of: async (question) => {
      const terms = termsOf(question)
      const told = await found(question, terms)
      const decided = decideWindow(terms, told, await learnt.find(placeOf(question, terms), told))
      const seen = readings?.windowOf(
        { ...question, upstream: question.upstream.url },
        decided.source === 'assumed' ? undefined : decided.window,
      )
      return seen ? asSeen(decided, seen) : decided
    },
    refused: async (model, window, sent) => {
      const terms = termsOf(model)
      if (setsNumCtx(terms) || namesWindow(sent, window)) return
      await learnt.learn(placeOf(model, terms), await found(model, terms), window)
    },
    read: (model, tokens) => learnt.read(placeOf(model, termsOf(model)), tokens),
  }
}

/** What a server was seen to read counts if it is less than the report, or if there is no report. */
function asSeen(told: Window, { window, source }: ReadWindow): Window {
  if (window >= told.window && told.source !== 'assumed') return told
  return {
    ...told,
    window,
    source,
    told: { window: told.window, source: told.source },
    ...(told.reserve !== undefined && { reserve: Math.min(told.reserve, Math.floor(window / 2)) }),
  }
}

/** The settings of a model, under its name with or without the default tag. */
export function configuredFor(models: Readonly<Record<string, ModelConfig>>, model: string): ModelConfig {
  if (Object.hasOwn(models, model)) return models[model] ?? {}
  return Object.entries(models).find(([name]) => isSameModel(name, model))?.[1] ?? {}
}

/** The `num_ctx` that goes out with the request. */
function sizeAsked({ takesNumCtx, configured, numCtx }: WindowTerms): number | undefined {
  return takesNumCtx ? (configured.num_ctx ?? numCtx) : undefined
}

function placeOf({ tenant, upstream, model }: RequestedModel, terms: WindowTerms): LearntPlace {
  return { tenant, upstream: upstream.url, model, numCtx: sizeAsked(terms) }
}

/** The context window of a model, and who says so. */
export interface Window {
  /** Tokens that prompt and answer have together. */
  readonly window: number
  /**
   * The source. `assumed`: no source names a window. Then requests of clients go unchanged, and our own prompts are
   * made for this size.
   */
  readonly source: WindowSource
  /** The reported window, if the server was seen to read less. */
  readonly told?: { readonly window: number; readonly source: WindowSource } | undefined
  /** Tokens to keep for the answer, at most half of the window; undefined: as in the policy. */
  readonly reserve?: number | undefined
  /** What the operator wants in every request to `/api/chat`. */
  readonly numCtx?: number | undefined
}

/** The reported window, even if the server was seen to read less: its counts are compared with it. */
export function toldWindow({ told, window, source }: Window): Pick<Window, 'window' | 'source'> {
  return told ?? { window, source }
}

/** What is known before an upstream is asked. */
export interface WindowTerms {
  readonly numCtx?: number | undefined
  readonly output?: number | undefined
  readonly configured: ModelConfig
  /** Whether the protocol has a num_ctx. */
  readonly takesNumCtx: boolean
}

/** Whether the operator sets the window and the request does not, so that no upstream has to be asked. */
function isFixed(terms: WindowTerms): boolean {
  return terms.configured.window !== undefined && !setsNumCtx(terms)
}

/** Whether the `num_ctx` of the request counts. */
function setsNumCtx({ configured, takesNumCtx, numCtx }: WindowTerms): boolean {
  return takesNumCtx && numCtx !== undefined && configured.num_ctx === undefined
}

/**
 * The first source that names a window counts. The maximum of the model is a limit for all of them, and so is what its
 * upstream named in a refusal.
 */
export function decideWindow(terms: WindowTerms, found: FoundWindow, refused: number | undefined): Window {
  const { configured, numCtx } = terms
  const limit = isFixed(terms) ? Infinity : (found.limit ?? Infinity)
  // The operator's num_ctx is sent with every request, whatever the request had.
  const ours = terms.takesNumCtx ? configured.num_ctx : undefined
  const candidates: readonly (readonly [number | undefined, WindowSource | undefined])[] = [
    [ours === undefined && terms.takesNumCtx ? numCtx : undefined, 'request'],
    [configured.window ?? ours, 'configuration'],
    [found.window, found.source],
  ]
  const [tokens, source] = candidates.find(([size]) => isSize(size)) ?? []
  if (refused !== undefined && (tokens === undefined || refused < Math.min(tokens, limit)))
    return windowOf(terms, refused, 'refusal')
  return tokens === undefined || source === undefined
    ? windowOf(terms, Math.min(assumedWindow, limit), 'assumed')
    : windowOf(terms, Math.min(tokens, limit), source)
}

function windowOf({ output, configured, takesNumCtx }: WindowTerms, window: number, source: WindowSource): Window {
  const wanted = isSize(output) ? output : configured.reserve
  return {
    window,
    source,
    ...(wanted !== undefined && { reserve: Math.min(wanted, Math.floor(window / 2)) }),
    ...(takesNumCtx && configured.num_ctx !== undefined && { numCtx: configured.num_ctx }),
  }
}

/** Ollama uses 0 and below for "unchanged" and "unlimited". */
function isSize(tokens: number | undefined): tokens is number {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0
}
