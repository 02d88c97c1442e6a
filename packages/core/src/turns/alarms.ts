import type { Store } from '../log/store.ts'
import type { Clock } from '../log/time.ts'

/** Threads of one process that are to be woken at a time. */
export interface Alarms {
  /** Keeps an alarm. The returned function takes it back. */
  set(thread: string, time: number): Promise<() => Promise<void>>
  /** From now on, threads are woken. The returned function ends that. */
  start(): () => void
}

interface Alarm {
  readonly thread: string
  /** Milliseconds since 1970. */
  readonly time: number
}

/**
 * How does one process wake threads at a time? Alarms are records of the store, so the next process has them too. Only
 * the soonest are in memory, and there is one timer for all of them. `ring` runs a thread, and
 * resolves to whether it could.
 */
export function createAlarms(store: Store, clock: Clock, ring: (thread: string) => Promise<boolean>): Alarms {
  let held = new Map<string, Alarm>()
  /** Alarms whose threads run now. They are in the store until that is over. */
  const firing = new Map<string, Promise<void>>()
  /** Alarms after this time are in the store only. */
  let horizon = Infinity
  let isStarted = false
  let timer = new AbortController()

  const hold = (alarm: Alarm): void => {
    if (alarm.time > horizon || firing.has(keyOf(alarm))) return
    held.set(keyOf(alarm), alarm)
    if (held.size <= 2 * mostHeld) return
    const soonest = inOrder(held.values()).slice(0, mostHeld)
    horizon = soonest.at(-1)!.time
    held = new Map(soonest.map((each) => [keyOf(each), each]))
  }
  const load = async (): Promise<void> => {
    horizon = Infinity
    for (const { thread, key } of await store.records.find({ name: alarmName }))
      hold({ thread: thread!, time: Number(key) })
  }
  const fire = async ({ thread, time }: Alarm): Promise<void> => {
    // Without a run, the thread is woken again by the next runner, or by the next process.
    if (!(await ring(thread))) return
    // Last: if the process dies before this, the next one wakes the thread again.
    await store.records.remove(thread, alarmName, String(time))
  }
  const begin = (alarm: Alarm): void => {
    const key = keyOf(alarm)
    held.delete(key)
    // The runner reports its own errors. If the store fails, the next process has the alarm.
    const fired = fire(alarm).catch(() => undefined)
    firing.set(
      key,
      fired.finally(() => firing.delete(key)),
    )
  }
  /** Fires what is due, and waits for the soonest of the others. */
  const wait = async (): Promise<void> => {
    timer.abort()
    const { signal } = (timer = new AbortController())
    while (isStarted && !signal.aborted) {
      if (held.size === 0 && horizon < Infinity) await load()
      const now = Date.parse(clock.now())
      for (const alarm of inOrder([...held.values()].filter(({ time }) => time <= now))) {
        if (firing.size >= mostHeld) await Promise.race(firing.values())
        if (signal.aborted) return
        begin(alarm)
      }
      const next = Math.min(...[...held.values()].map(({ time }) => time))
      if (next === Infinity && horizon === Infinity) return
      if (next < Infinity) await clock.after(Math.min(next - now, longestTimer), signal)
    }
  }
  return {
    set: async (thread, time) => {
      const alarm: Alarm = { thread, time }
      await store.records.put(thread, [{ name: alarmName, key: String(time), value: null }])
      hold(alarm)
      void wait()
      return async () => {
        held.delete(keyOf(alarm))
        await store.records.remove(thread, alarmName, String(time))
      }
    },
    start: () => {
      isStarted = true
      void load().then(wait, () => undefined)
      return () => {
        isStarted = false
        timer.abort()
      }
    },
  }
}

const alarmName = 'alarm'

/** The number of alarms that stay in memory, and of threads that are woken at once. At most twice as many are held. */
const mostHeld = 1000

/** The longest time of a JavaScript timer: 24 days. */
const longestTimer = 2 ** 31 - 1

function keyOf({ thread, time }: Alarm): string {
  return `${time} ${thread}`
}

function inOrder(alarms: Iterable<Alarm>): readonly Alarm[] {
  return [...alarms].toSorted((one, other) => one.time - other.time)
}
