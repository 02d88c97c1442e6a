import type { ModelConfig } from './config.ts'
import type { ProtocolName } from './protocol-name.ts'
import { isSameModel, type Upstream } from './upstream.ts'
import type { UpstreamCaller } from './upstream-call.ts'
import { decideWindow, fixedWindow, type Window } from './window/decide.ts'
import { createProbe } from './window/probe.ts'

export type { Window, WindowSource } from './window/decide.ts'

/** Whose window is asked for, and what the request says about it. */
export interface WindowQuestion {
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
export function createWindows(models: Readonly<Record<string, ModelConfig>>, caller: UpstreamCaller, now: () => number = Date.now): Windows {
  const probe = createProbe(caller, now)
  return {
    of: async ({ upstream, model, protocol, ...asked }) => {
      const configured = configuredFor(models, model)
      const terms = { ...asked, configured, takesNumCtx: protocol === 'ollama' }
      return fixedWindow(terms) ?? decideWindow(terms, await probe.find(upstream, model, terms.takesNumCtx && (asked.numCtx ?? configured.num_ctx) !== undefined))
    },
  }
}

/** The settings of a model, under its name with or without the tag that is meant by none. */
export function configuredFor(models: Readonly<Record<string, ModelConfig>>, model: string): ModelConfig {
  if (Object.hasOwn(models, model)) return models[model] ?? {}
  return Object.entries(models).find(([name]) => isSameModel(name, model))?.[1] ?? {}
}
