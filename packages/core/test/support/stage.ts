import type { Entry, Feed, Message, Store } from 'minutebook'
import { entryOf, type EntryFacts, type LiveText, type FeedEvent } from 'minutebook/store'
import { turnText } from '../../src/turns/feed.ts'
import { headOf } from '../../src/log/log.ts'
import { newestTurn, next } from '../../src/log/next.ts'
import { newestBranch } from './newest-branch.ts'

/** A thread whose turn is played by hand: what is written, what is told, and who has taken over. */
export interface Stage {
  readonly feed: Feed
  /** What the running call has said. */
  readonly text: string
  ask(text: string): Promise<void>
  /** Another answer is wanted to the newest question. */
  again(): Promise<void>
  /** Another runner takes the term; the call begins anew. */
  takeOver(): Promise<void>
  say(text: string): void
  /** Whoever ran before goes on, and does not know. */
  rave(text: string): void
  /**
   * The call is over: with an answer (the one before, where that goes on from what was said), with calls and a result,
   * with nothing but a note, or given up.
   */
  end(how: 'answer' | 'calls' | 'note' | 'same' | 'stop' | 'partial'): Promise<void>
  /** Something that is no part of the turn. */
  add(what: 'pending' | 'setup' | 'relay' | 'relayed'): Promise<void>
  erase(pick: number): Promise<void>
  /** Says that the log has grown, and has all told again. */
  tellAll(): void
}

/** `isLost`: of each piece of news, whether it is. Nothing is told twice by itself, but whoever asks is told all. */
export function createStage(store: Store, thread: string, isLost: () => boolean): Stage {
  const listeners = new Set<(news: FeedEvent) => void>()
  let [term, text, count, said] = [0, '', 0, '']
  let [zombie, place]: [LiveText | undefined, { turn: string; length: number; start: number } | undefined] = [
    undefined,
    undefined,
  ]
  const publish = (news: FeedEvent, isSure = false): void => {
    if (isSure || !isLost()) for (const hear of listeners) hear(news)
  }
  const log = (): Promise<Entry[]> => store.read(thread)
  const add = async (entries: readonly Entry[], terms = {}): Promise<void> => {
    await store.append(thread, entries, terms)
    await locate()
    publish({ type: 'grown' })
  }
  /** Where the running call stands, as its runner knows it. */
  const locate = async (): Promise<void> => {
    const entries = await log()
    const branch = newestBranch(entries)
    const turn = newestTurn(branch)
    place =
      next(branch, []).do === 'call' && turn[0]
        ? { turn: turn[0].id, length: entries.length, start: turnText(turn).length }
        : undefined
  }
  const chained = async (message: Message, facts: EntryFacts = {}): Promise<Entry> => {
    const entries = await log()
    return entryOf(
      message,
      entries.find(({ id }) => id === headOf(entries)),
      facts,
    )
  }
  const hanging = (after: Entry, kind: Entry['kind'], content: string, facts: EntryFacts = {}): Entry =>
    entryOf({ role: 'system', content }, after, { ...facts, kind })
  const tell = (offset: number, piece: string, isSure = false): void => {
    if (place) publish({ type: 'text', term, ...place, offset: place.start + offset, text: piece }, isSure)
  }
  const receipt = (after: Entry, outcome = 'stop'): Entry =>
    hanging(after, 'receipt', JSON.stringify({ outcome, number: ++count }))
  const stop = (after: Entry): Entry =>
    hanging(after, 'stop', JSON.stringify({ code: 'cancelled', reason: 'Stopped.', number: ++count }), {
      status: 'cancelled',
    })
  const over = (): void => {
    said = text || said
    ;[text, zombie] = ['', undefined]
  }
  return {
    feed: {
      publish: (_, news) => {
        if (news.type === 'asked') tell(0, text)
      },
      listen: async (_, hear) => {
        listeners.add(hear)
        return () => void listeners.delete(hear)
      },
    },
    get text() {
      return text
    },
    ask: async (content) => {
      if (place) return
      const asked = await chained({ role: 'user', content: `${content} ${++count}` })
      await add([asked])
      term = (await store.claim(thread)).term
    },
    again: async () => {
      const entries = await log()
      const [asked] = newestTurn(newestBranch(entries))
      if (place || asked?.kind !== 'user' || asked.status === 'erased') return
      await add([hanging(asked, 'retry', JSON.stringify({ number: ++count }))])
      term = (await store.claim(thread)).term
    },
    takeOver: async () => {
      if (!place) return
      zombie = { type: 'text', term, ...place, offset: place.start, text }
      term = (await store.claim(thread)).term
      text = ''
      tell(0, '')
    },
    say: (piece) => {
      if (!place) return
      tell(text.length, piece)
      text += piece
    },
    rave: (piece) => {
      if (!zombie) return
      publish({ ...zombie, offset: zombie.start + zombie.text.length, text: piece })
      zombie = { ...zombie, text: zombie.text + piece }
    },
    end: async (how) => {
      if (!place) return
      const asked = await chained({ role: 'system', content: 'place' })
      const before = { ...asked, id: asked.parent!, kind: 'user' as const, parent: null }
      const [content, earlier] = [text, said]
      over()
      if (how === 'note') await add([hanging(before, 'note', `canary ${++count}`), receipt(before)], { term })
      else if (how === 'stop') await add([stop(before)], { term })
      else {
        const calls =
          how === 'calls'
            ? { tool_calls: [{ id: `c${++count}`, type: 'function', function: { name: 'look', arguments: '{}' } }] }
            : {}
        const answer = await chained(
          {
            role: 'assistant',
            content: how === 'same' && earlier.startsWith(content) ? earlier : content,
            ...calls,
          } as Message,
          { status: how === 'partial' ? 'cancelled' : 'complete' },
        )
        await add(
          [
            answer,
            hanging(answer, 'journal', `canary ${count}`),
            receipt(answer),
            ...(how === 'partial' ? [stop(answer)] : []),
          ],
          { term },
        )
        if (how === 'calls')
          await add([await chained({ role: 'tool', tool_call_id: `c${count - 1}`, content: 'seen' } as Message)], {
            term,
          })
      }
    },
    add: async (what) => {
      const entries = await log()
      const head = entries.find(({ id }) => id === headOf(entries))
      if (what === 'pending')
        return add([
          entryOf({ role: 'user', content: `later ${++count}` }, head, {
            kind: 'pending',
            key: `k${count}`,
            status: 'complete',
          }),
        ])
      if (what === 'setup')
        return add([
          entryOf({ role: 'user', content: `withdrawn ${++count}` }, head, {
            kind: 'pending',
            key: `k${count}`,
            status: 'cancelled',
          }),
        ])
      const question = entryOf({ role: 'user', content: `relayed ${++count}` })
      const answer = entryOf({ role: 'assistant', content: `to ${count}` }, question)
      // It leads elsewhere: the turn before is given up.
      over()
      if (what === 'relayed') return add([question])
      return add([question, answer, hanging(answer, 'receipt', JSON.stringify({ mode: 'unchanged', outcome: 'stop' }))])
    },
    erase: async (pick) => {
      const entries = (await log()).filter(({ kind }) => kind !== 'receipt')
      const picked = entries[pick % Math.max(1, entries.length)]
      if (picked) await store.erase(thread, [picked.id])
      await locate()
    },
    tellAll: () => {
      publish({ type: 'grown' }, true)
      tell(0, text, true)
    },
  }
}
