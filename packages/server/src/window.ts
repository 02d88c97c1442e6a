import type { Readings, ReadWindow } from 'minutebook'
import type { ModelConfig } from './config.ts'
import type { ProtocolName } from './protocol-name.ts'
import { isSameModel, type Upstream } from './upstream.ts'
import type { UpstreamCaller } from './upstream-call.ts'
import { decideWindow, fixedWindow, type Window } from './window/decide.ts'
import { createProbe } from './window/probe.ts'

export type { Window, WindowSource } from './window/decide.ts'

/** Whose window is asked for, and what the request says about it. */
export interface WindowQuestion {
  /** Who asks: what was seen of a server is the tenant's own. Default: nobody, and nothing was seen. */
  readonly tenant?: string | undefined
  readonly upstream: Upstream
  readonly model: string
  readonly protocol: ProtocolName
  /** `options.num_ctx` of the request. */
  readonly numCtx?: number | undefined
  /** Tokens of the answer that the request asks for: num_predict, max_tokens, max_completion_tokens. */
  readonly output?: number | undefined
}

/** Finds the window that a model really has. Never rejects: what cannot be found out is the smallest that is usual. */
export interface Windows {
  of(question: WindowQuestion): Promise<Window>
}

/**
 * @example
 * const { window, source } = await createWindows(config.models, caller).of({ upstream, model: 'gemma3:4b', protocol: 'ollama' })
 */
export function createWindows(models: Readonly<Record<string, ModelConfig>>, caller: UpstreamCaller, { readings, now = Date.now }: WindowsOptions = {}): Windows {
  const probe = createProbe(caller, now)
  return {
    of: async ({ tenant, upstream, model, protocol, ...asked }) => {
      const configured = configuredFor(models, model)
      const terms = { ...asked, configured, takesNumCtx: protocol === 'ollama' }
      const told = fixedWindow(terms) ?? decideWindow(terms, await probe.find(upstream, model, terms.takesNumCtx && (asked.numCtx ?? configured.num_ctx) !== undefined))
      const seen = tenant === undefined ? undefined : readings?.windowOf({ tenant, upstream: upstream.url, model }, told.window)
      return seen ? asSeen(told, seen) : told
    },
  }
}

/** What a server was seen to read counts for more than what anybody says, if it is less. */
function asSeen(told: Window, { window, source }: ReadWindow): Window {
  if (window >= told.window) return told
  return { ...told, window, source, told: { window: told.window, source: told.source }, ...(told.reserve !== undefined && { reserve: Math.min(told.reserve, Math.floor(window / 2)) }) }
}

export interface WindowsOptions {
  /** What was seen of servers. Default: nothing. */
  readonly readings?: Pick<Readings, 'windowOf'> | undefined
  readonly now?: (() => number) | undefined
}

/** The settings of a model, under its name with or without the tag that is meant by none. */
export function configuredFor(models: Readonly<Record<string, ModelConfig>>, model: string): ModelConfig {
  if (Object.hasOwn(models, model)) return models[model] ?? {}
  return Object.entries(models).find(([name]) => isSameModel(name, model))?.[1] ?? {}
}
