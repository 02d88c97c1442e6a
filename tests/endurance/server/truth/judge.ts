import { entryIn } from 'minutebook/store'
import type { Native } from '../../../support/server/native.ts'
import type { Scribe } from './scribe.ts'

/** What was found out about the threads of a server. */
export interface Judgement {
  readonly threads: number
  /** Calls that are on record, but for those of forks, which were made elsewhere. */
  readonly recorded: number
  /** Calls whose dump is what the upstream received. */
  readonly right: number
  /** Calls that cannot be derived any more, since something of them was erased. */
  readonly erased: number
  readonly wrong: readonly string[]
}

/** Looks at every call of every thread: it verifies, and its dump is what the upstream received. */
export async function judge(
  operator: Native,
  scribe: Scribe,
  erasedIn: ReadonlySet<string>,
  isFork: (thread: string) => boolean,
): Promise<Judgement> {
  const found = { threads: 0, recorded: 0, right: 0, erased: 0, wrong: [] as string[] }
  for (const thread of await threadsOf(operator)) {
    found.threads++
    const at = `/threads/${encodeURIComponent(thread)}`
    const verified = (await operator.ask('GET', `${at}/verify`)).body as {
      readonly ok?: boolean
      readonly underivable?: number
      readonly problems?: readonly unknown[]
    }
    if (verified.ok !== true || (!erasedIn.has(thread) && verified.underivable !== 0))
      found.wrong.push(`${thread}: ${JSON.stringify(verified).slice(0, 400)}`)
    const receipts = await receiptsIn(operator, at)
    if (!isFork(thread)) found.recorded += receipts.length
    for (const { id } of receipts.filter(({ status }) => status !== 'erased')) {
      const { status, body } = await operator.ask('GET', `${at}/dump?receipt=${id}`)
      const {
        messages = [],
        tools = [],
        same,
        erased,
      } = body as {
        readonly messages?: readonly unknown[]
        readonly tools?: readonly unknown[]
        readonly same?: boolean
        readonly erased?: boolean
      }
      if (status === 200 && same === true && scribe.received(messages, tools)) found.right++
      else if (erasedIn.has(thread) && (status !== 200 || (same === false && erased === true))) found.erased++
      else
        found.wrong.push(
          `${thread}, call ${id}: ${status}, same ${same}, received ${status === 200 && scribe.received(messages, tools)}; ${JSON.stringify(body).slice(0, 300)}`,
        )
    }
  }
  return found
}

/** Of all branches. */
async function receiptsIn(
  operator: Native,
  at: string,
): Promise<readonly { readonly id: string; readonly status: string }[]> {
  const { text } = (await operator.ask('GET', `${at}/export`)).body as { readonly text: string }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line, seq) => entryIn(line, seq) ?? [])
    .filter(({ kind }) => kind === 'receipt')
}

async function threadsOf(operator: Native): Promise<readonly string[]> {
  const threads: string[] = []
  for (let after = ''; ;) {
    const { body } = await operator.ask('GET', `/threads?limit=100${after}`)
    const { threads: page = [], next } = body as {
      readonly threads?: readonly { readonly thread: string }[]
      readonly next?: string
    }
    threads.push(...page.map(({ thread }) => thread))
    if (next === undefined) return threads
    after = `&after=${encodeURIComponent(next)}`
  }
}
