import type { OpenCall, TurnQueue } from 'minutebook'
import { listedCall, recordNames, type NewRecord, type Records, type StoredRecord } from 'minutebook/store'
import type { Config, WebhookConfig } from '../config/config.ts'
import { createSlots } from '../stores/backend.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { RequestLog } from '../telemetry/request-log.ts'
import { deliver } from './delivery.ts'

/**
 * Who is told that a call waits, and until when is that tried? What is to be told is a record, written together with
 * the wait and removed when it was told. An alarm of the queue has the thread looked at again, so another instance goes
 * on if this one dies. An address is told at least once: the same id twice is the same message.
 */
export interface Webhooks {
  /** The records that are written together with calls of a tenant that begin to wait. */
  records(tenant: string): (calls: readonly OpenCall[]) => readonly NewRecord[]
  /** Begins to tell what is to be told of a thread. To be called whenever the thread has run. */
  tell(tenant: string, thread: string): Promise<void>
  /** The same for all threads of a tenant, after a start: a file has no queue that knows them. */
  tellAll(tenant: string): Promise<void>
  /** Gives up what is under way: it is tried again later. */
  close(): Promise<void>
}

export interface WebhooksOptions {
  readonly config: Pick<Config, 'webhooks'>
  readonly stores: {
    of(tenant: string): { readonly store: { readonly records: Records }; readonly queue: Pick<TurnQueue, 'wakeAt'> }
  }
  readonly metrics: Pick<Metrics, 'webhookSent'>
  readonly requestLog: Pick<RequestLog, 'webhookFailed' | 'unforeseen'>
  /** Milliseconds from each attempt to the next. After the last of them it is given up. */
  readonly delays?: readonly number[]
}

/** What a record says. */
interface Progress {
  readonly attempts: number
  /** When it is tried next, in milliseconds since 1970. */
  readonly next: number
}

/** Something to tell, whose turn it is now. */
interface Due {
  readonly webhook: WebhookConfig
  readonly call: OpenCall
  readonly record: StoredRecord
  readonly progress: Progress
}

export function createWebhooks({
  config,
  stores,
  metrics,
  requestLog,
  delays = usualDelays,
}: WebhooksOptions): Webhooks {
  const closing = new AbortController()
  const slots = createSlots(mostAtOnce)
  /** By tenant and thread. */
  const underWay = new Map<string, Promise<void>>()
  /** Those of them that must be looked at again. */
  const again = new Set<string>()

  /** What of a thread is to be told now. Removes what is no longer to be told. */
  const dueIn = async (tenant: string, thread: string): Promise<{ readonly due: Due[]; readonly later: number[] }> => {
    const { records } = stores.of(tenant).store
    const due: Due[] = []
    const later: number[] = []
    const found = await records.find({ name: webhookName, thread })
    const waiting = found.length === 0 ? [] : await records.find({ name: recordNames.waiting, thread })
    for (const record of found) {
      const [name = '', id = ''] = record.key.split(' ', 2)
      const webhook = config.webhooks.find((each) => each.name === name)
      const open = waiting.find(({ key }) => key === id)
      const progress = record.value as Progress
      if (!webhook || !open) await records.remove(thread, webhookName, record.key)
      else if (progress.next > Date.now()) later.push(progress.next)
      else due.push({ webhook, call: listedCall(open), record, progress })
    }
    return { due, later }
  }
  const attempt = async (
    tenant: string,
    thread: string,
    { webhook, call, record, progress }: Due,
  ): Promise<boolean> => {
    const { records } = stores.of(tenant).store
    const cause = await slots(webhook.name, () => deliver(webhook, { tenant, thread, call }, closing.signal))
    if (closing.signal.aborted) return false
    const isLast = cause !== undefined && progress.attempts + 1 >= delays.length
    metrics.webhookSent(cause === undefined ? 'delivered' : isLast ? 'given_up' : 'failed')
    if (cause !== undefined) requestLog.webhookFailed({ webhook: webhook.name, tenant, thread, cause, isLast })
    if (cause !== undefined && !isLast) return false
    await records.remove(thread, webhookName, record.key)
    return true
  }
  const tell = async (tenant: string, thread: string): Promise<void> => {
    if (config.webhooks.length === 0 || closing.signal.aborted) return
    const place = JSON.stringify([tenant, thread])
    const { store, queue } = stores.of(tenant)
    if (underWay.has(place)) {
      again.add(place)
      // The alarm that woke it is spent: without another one, no instance would look if this one died now.
      await queue.wakeAt(thread, Date.now() + (delays[0] ?? 0))
      return
    }
    const { due, later } = await dueIn(tenant, thread)
    if (due.length === 0) {
      // The queue's clock may be ahead of this one. Its alarm is spent, so without another one no process would look again.
      if (later.length > 0) await queue.wakeAt(thread, Math.min(...later))
      return
    }
    const nexts = due.map(({ progress: { attempts } }) => Date.now() + (delays[attempts] ?? 0))
    // Before anything is tried: if this instance dies now, another one looks at that time.
    const takeBack = await queue.wakeAt(thread, Math.min(...nexts, ...later))
    if (underWay.size >= mostUnderWay) return
    const claims = due.map(({ record, progress: { attempts } }, index) => ({
      name: webhookName,
      key: record.key,
      value: { attempts: attempts + 1, next: nexts[index] },
      expected: record.version,
    }))
    // If it fails, another instance was faster.
    if (!(await store.records.put(thread, claims)).ok) return
    const trying = Promise.all(due.map((each) => attempt(tenant, thread, each)))
      .then(async (isOver) => {
        if (later.length === 0 && isOver.every(Boolean)) await takeBack()
      })
      .finally(() => underWay.delete(place))
      .then(() => (again.delete(place) ? tell(tenant, thread) : undefined))
      .catch((error: unknown) => requestLog.unforeseen(error))
    underWay.set(place, trying)
  }
  return {
    records: (tenant) => (calls) =>
      config.webhooks
        .filter(({ tenants }) => tenants?.includes(tenant) ?? true)
        .flatMap(({ name }) =>
          calls.map(({ id }) => ({ name: webhookName, key: `${name} ${id}`, value: { attempts: 0, next: 0 } })),
        ),
    tell,
    tellAll: async (tenant) => {
      if (config.webhooks.length === 0) return
      const found = await stores.of(tenant).store.records.find({ name: webhookName })
      for (const thread of new Set(found.map((record) => record.thread!))) await tell(tenant, thread)
    },
    close: async () => {
      closing.abort()
      await Promise.all(underWay.values())
    },
  }
}

const webhookName = 'webhook'

/** About two days altogether. */
const usualDelays: readonly number[] = [30, 60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400].map((s) => s * 1000)

/** Requests at once, and threads with requests that run or wait for their turn. */
const mostAtOnce = 16
const mostUnderWay = 1000
