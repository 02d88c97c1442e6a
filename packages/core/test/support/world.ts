import {
  defineTool,
  memoryStore,
  openBook,
  type Book,
  type Entry,
  type BusyPolicy,
  type Message,
  type Policy,
  type Profile,
  type Store,
  type Thread,
  type Tool,
  type Turn,
  type TurnResult,
} from 'minutebook'
import { words } from '@minutebook/testing'
import { faultyStore, type Death, type FaultyStore } from './faulty-store.ts'
import { moodyModel, type Mood, type MoodyModel } from './moody-model.ts'
import { settled, unlessSilent } from './settled.ts'
import { tick } from '../../../../tests/support/tick.ts'

/** How threads are run in one world. */
export interface Climate {
  readonly window: number
  readonly notes: 'off' | 'block' | 'tool'
  readonly journal: boolean
  readonly system: readonly (string | undefined)[]
  readonly profile: Profile
  readonly policy: Policy
  readonly moods: readonly Mood[]
  readonly delays: readonly number[]
  /** Whether the second handle is another process's, which knows nothing of the first. */
  readonly rival: boolean
  readonly checkpointEvery: number | undefined
}

export interface Sending {
  readonly handle: number
  readonly ifBusy: BusyPolicy
  readonly after: Place
  /** Whether it is said under an id, and sent twice. */
  readonly keyed: boolean
  /** Words that are said more than once. */
  readonly common: boolean
  readonly cancelAt: number | undefined
  readonly wait: boolean
}

/** An entry of the log by its place from the end, the beginning, or wherever the log stands. */
export type Place = number | 'root' | 'head'

export type Operation =
  | ({ readonly do: 'send' } & Sending)
  | ({
      readonly do: 'history'
      readonly trusted: boolean
      readonly drop: number
      readonly system: string | undefined
    } & Sending)
  | {
      readonly do: 'retry' | 'resume'
      readonly handle: number
      readonly cancelAt: number | undefined
      readonly wait: boolean
    }
  | { readonly do: 'fork'; readonly at: Place }
  | { readonly do: 'revoke'; readonly pick: number }
  | { readonly do: 'erase'; readonly picks: readonly number[] | undefined }
  | { readonly do: 'import'; readonly messages: readonly Message[]; readonly trusted: boolean }
  | { readonly do: 'crash'; readonly at: number; readonly how: Death }
  | { readonly do: 'restart' }

/** A message that was sent, and what its sender was told. */
export interface SentMessage {
  readonly text: string
  readonly began: number
  readonly times: number
  readonly told: { readonly at: number; readonly result: TurnResult }[]
}

/** One book over one store, in a process that may die and be started again. */
export interface World {
  readonly behind: Store
  readonly model: MoodyModel
  readonly sent: SentMessage[]
  readonly ran: Map<number, number>
  readonly shown: string[]
  readonly threads: Set<string>
  erased: boolean
  apply(operation: Operation): Promise<void>
  /** Ends the process and starts another, which finishes what was left. */
  restart(): Promise<void>
  book(): Book
}

/** Being told about notes takes room of its own. */
export function windowOf({ window, notes }: Climate): number {
  return notes === 'block' ? window + 150 : window
}

export function createWorld(climate: Climate): World {
  const behind = memoryStore()
  let called = 0
  const model = moodyModel(() => climate.moods[called++ % climate.moods.length]!)
  const ran = new Map<number, number>()
  const tools = toolsOf(ran)
  let lives = 0
  let now = 0
  let running: Promise<unknown>[] = []
  let store: FaultyStore
  let open: Book
  let handles: Thread[]

  const start = (): void => {
    store = faultyStore(behind, climate.delays)
    const { notes, journal, profile, policy, checkpointEvery } = climate
    const window = windowOf(climate)
    const system = climate.system[lives++ % climate.system.length]
    const options = {
      store,
      model,
      window,
      notes,
      journal,
      profile,
      policy,
      checkpointEvery,
      counter: words,
      steps: 4,
      tools,
      ...(system !== undefined && { system }),
    }
    open = openBook(options)
    handles = [open.thread('t'), (climate.rival ? openBook(options) : open).thread('t')]
  }
  start()

  const world: World = {
    behind,
    model,
    sent: [],
    ran,
    shown: [],
    threads: new Set(['t']),
    erased: false,
    book: () => open,
    apply: async (operation) => {
      if (store.dead) await world.restart()
      await unlessSilent(perform(operation).catch(expected), store)
    },
    restart: async () => {
      await Promise.all(running)
      running = []
      start()
      // A turn that hangs is cancelled, and what was waiting behind it waits for the next time.
      for (let turns = 1, times = 0; turns > 0 && times < 20; times++) {
        turns = 0
        for await (const { turn } of open.resume()) turns += (await settled(turn)) ? 1 : 0
      }
    },
  }

  const entryAt = async (place: Place): Promise<Entry | undefined> => {
    const entries = await behind.read('t')
    return typeof place === 'number' ? entries.at(-1 - (place % Math.max(1, entries.length))) : undefined
  }
  const follow = async (
    turn: Turn,
    cancelAt: number | undefined,
    wait: boolean,
    ended: (result: TurnResult) => void = () => undefined,
  ): Promise<void> => {
    void listen(turn, cancelAt, world.shown)
    const end = settled(turn).then((result) => (result ? ended(result) : undefined))
    running.push(end)
    if (wait) await end
  }
  const say = async (
    sent: string | readonly Message[],
    text: string,
    { handle, ifBusy, after, cancelAt, wait, ...sending }: Sending,
    trusted: boolean,
  ): Promise<void> => {
    // Two processes tell their messages apart by ids.
    const keyed = sending.keyed || (climate.rival && ifBusy === 'queue')
    const place = after === 'root' ? null : after === 'head' ? undefined : (await entryAt(after))?.id
    const message: SentMessage = { text, began: ++now, times: keyed ? 2 : 1, told: [] }
    world.sent.push(message)
    const options = { ifBusy, trusted, ...(keyed && { id: text }), ...(place !== undefined && { after: place }) }
    const told = (result: TurnResult): void => void message.told.push({ at: ++now, result })
    await follow(handles[handle]!.send(sent, options), cancelAt, wait, told)
    if (keyed) await follow(handles[1 - handle]!.send(sent, options), undefined, wait, told)
  }
  const perform = async (operation: Operation): Promise<void> => {
    switch (operation.do) {
      case 'send': {
        const text = operation.common
          ? 'Common words.'
          : `Message ${++now}: what of the beds and the seeds, and of the rain?`
        return say(text, text, operation, false)
      }
      case 'history': {
        const text = `Message ${++now}: what of the beds and the seeds, and of the rain?`
        const shown = await handles[operation.handle]!.visible()
        const known = shown
          .filter(({ kind }) => kind === 'user' || kind === 'assistant')
          .filter(({ status, calls }) => status !== 'erased' && calls.length === 0)
        const history = known.slice(operation.drop).map(({ kind, text: content }) => ({ role: kind, content }))
        const system = operation.system === undefined ? [] : [{ role: 'system', content: operation.system }]
        return say([...system, ...history, { role: 'user', content: text }], text, operation, operation.trusted)
      }
      case 'retry':
      case 'resume':
        return follow(handles[operation.handle]![operation.do](), operation.cancelAt, operation.wait)
      case 'fork': {
        const at = await entryAt(operation.at)
        const as = `fork ${++now}`
        world.threads.add(as)
        await handles[0]!.fork({ as, ...(at && { at: at.id }) })
        return
      }
      case 'revoke': {
        const notes = (await behind.read('t')).filter(({ kind }) => kind === 'note' || kind === 'journal')
        const note = notes[operation.pick % Math.max(1, notes.length)]
        return note && handles[0]!.revoke(note.id)
      }
      case 'erase': {
        const entries = await behind.read('t')
        world.erased = true
        await handles[1]!.erase(
          operation.picks?.flatMap((pick) => entries.at(-1 - (pick % Math.max(1, entries.length)))?.id ?? []),
        )
        return
      }
      case 'import':
        await handles[0]!.importMessages(operation.messages, { trusted: operation.trusted })
        return
      case 'crash':
        return store.dieAt(operation.at, operation.how)
      case 'restart':
        return world.restart()
    }
  }
  return world
}

async function listen(turn: Turn, cancelAt: number | undefined, shown: string[]): Promise<void> {
  let events = 0
  if (cancelAt === 0) turn.cancel()
  for await (const event of turn) {
    if (event.type === 'text') shown.push(event.text)
    if (event.type === 'end') shown.push(event.result.text, event.result.reason?.message ?? '')
    if (++events === cancelAt) turn.cancel()
  }
}

/** A store that died, a thread that is busy, and what cannot be revoked or forked are no surprise. */
function expected(error: unknown): void {
  const { code, message } = error as { code?: string; message?: string }
  if (
    message === 'the store is gone' ||
    ['busy', 'fenced', 'thread_exists', 'erased_before', 'not_revocable'].includes(code ?? '')
  )
    return
  throw error
}

function toolsOf(ran: Map<number, number>): Tool[] {
  const count = (input: unknown): number => {
    const { number } = input as { number: number }
    ran.set(number, (ran.get(number) ?? 0) + 1)
    Object.assign(input as object, { spoiled: true })
    return number
  }
  const parameters = { type: 'object', properties: { number: { type: 'number' } } }
  return [
    defineTool({
      name: 'once',
      parameters,
      run: async (input) => {
        const number = count(input)
        await tick()
        return `once ${number}`
      },
    }),
    defineTool({
      name: 'again',
      parameters,
      mayRepeat: true,
      run: (input) => `again ${(input as { number: number }).number}`,
    }),
    defineTool({
      name: 'fails',
      parameters,
      run: () => {
        throw Object.assign(new Error(), { message: 7 })
      },
    }),
    defineTool({ name: 'stuck', parameters, mayRepeat: true, run: () => new Promise(() => undefined) }),
  ]
}
