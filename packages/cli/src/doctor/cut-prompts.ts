import { printableLine, type Archive, type ListedCall } from '@minutebook/server'
import { counted, figure } from '../terminal/text.ts'
import { bad, type Check } from './check.ts'

/** What the newest calls of a model say about the window that its server really has. */
export interface SeenWindow {
  /** Calls whose server says how many tokens it read. */
  readonly calls: number
  /** Calls whose prompt the server cut, unless it has read longer prompts since. */
  readonly cut: number
  /** The most tokens that it read of such a prompt. */
  readonly read: number
}

/** By model: which servers read less than they were sent. */
export async function seenWindows(archive: Pick<Archive, 'calls'>): Promise<ReadonlyMap<string, SeenWindow>> {
  const { calls } = await archive.calls({ limit: looked })
  const byModel = new Map<string, ListedCall[]>()
  for (const call of calls) byModel.set(call.model ?? '', [...(byModel.get(call.model ?? '') ?? []), call])
  return new Map([...byModel].map(([model, some]) => [model, seenIn(some)]))
}

const looked = 500

/** `calls`: the newest first. */
function seenIn(calls: readonly ListedCall[]): SeenWindow {
  const reporting = calls.filter(({ read }) => read !== undefined)
  const cut = reporting.filter((call) => call.cut)
  const read = Math.max(0, ...cut.map((call) => call.read ?? 0))
  const since = reporting.slice(0, reporting.indexOf(cut[0]!))
  // It was given a larger window, or the model is loaded with another one by now.
  const isMended = cut.length > 0 && since.some((call) => (call.read ?? 0) > read)
  return { calls: reporting.length, cut: isMended ? 0 : cut.length, read }
}

/** `says`: what is stated of the window of a model. Undefined if none of its prompts was cut. */
export function cutCheck(model: string, seen: SeenWindow | undefined, says?: string): Check | undefined {
  if (!seen || seen.cut === 0) return undefined
  const name = printableLine(model === '' ? 'a model without a name' : model)
  const stated = says === undefined ? `${name}: ` : `${says}; but `
  return bad(
    'window',
    `${stated}the upstream cut ${counted(seen.cut, 'prompt')} without an error, and read at most ${figure(seen.read)} tokens of them`,
    `Its window is smaller than it states. Give it a larger window and restart it (Ollama: models.${name}.num_ctx), or set models.${name}.window to what it reads.`,
  )
}

/** What the newest calls add to a window that nothing speaks against. */
export function uncutText(seen: SeenWindow | undefined): string {
  return !seen || seen.calls === 0 ? '' : `; no cut was seen in ${counted(seen.calls, 'call')}`
}
