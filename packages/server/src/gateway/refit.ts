import { MinutebookError, type Relay } from 'minutebook'
import type { ContextOverflow } from 'minutebook/wire'
import type { Buffer } from 'node:buffer'
import type { Visit } from '../http/http.ts'
import type { Services } from '../services.ts'
import type { Window, WindowQuestion } from '../upstream/window.ts'

/**
 * Learns the window that an upstream named when it refused a prompt, and fits the question into it. Throws if that is
 * not possible.
 */
export async function refit(
  { windows, metrics }: Pick<Services, 'windows' | 'metrics'>,
  { sent, ...question }: RefusedQuestion,
  { relay, window: before }: Fitted,
  told: ContextOverflow,
): Promise<Fitted> {
  if (told.window !== undefined) await windows.refused(question, told.window, sent)
  // An upstream that does not say how large its window is may have been restarted with another size.
  const known = await windows.of({ ...question, again: told.window === undefined })
  const window: Window =
    told.window !== undefined && told.window < known.window
      ? {
          ...known,
          window: told.window,
          source: 'refusal',
          ...(known.reserve !== undefined && { reserve: Math.min(known.reserve, Math.floor(told.window / 2)) }),
        }
      : known
  if (told.window === undefined && (window.source === 'assumed' || window.window >= before.window))
    throw unknownWindowError()
  const fitted = await relay.refit(told, window)
  metrics.relayed(fitted.mode)
  return { relay: fitted, window }
}

/** A question that an upstream refused. `sent`: all text that came with it, as JSON. */
export interface RefusedQuestion extends WindowQuestion {
  readonly sent: string
}

/** All that a client can have an upstream quote. */
export function sentText({ request, query }: Visit, body: Buffer): string {
  return `${body.toString()} ${JSON.stringify([...new URLSearchParams(query)])} ${JSON.stringify(request.headers)}`
}

/** A question, and the window that it is fitted into. */
export interface Fitted {
  readonly relay: Relay
  readonly window: Window
}

function unknownWindowError(): MinutebookError {
  return new MinutebookError(
    'context_overflow',
    'The upstream refused the prompt, because the prompt is longer than its window. The size of that window is not known.',
    'Set models.NAME.window to the window that the upstream has.',
  )
}
