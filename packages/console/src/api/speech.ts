import { eventsIn, type components } from '@minutebook/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useRef, useState } from 'react'
import { unwrap, useClient } from './api.tsx'
import { useModelChoice, type ModelChoice } from './models.ts'
import type { Entry } from './entries.ts'
import { useLive, type Live } from './live.ts'
import { runPlace, useThread } from './thread.ts'

/** The result of a tool as the user typed it. */
interface TypedResult {
  readonly id?: string | undefined
  readonly name: string
  readonly text: string
}

/** What the user can do on a thread. Nothing rejects: failures are in `error`. Resolves to true if it was recorded. */
export interface Speech {
  /** Sends a message after this entry. Default: at the end; null: at the beginning. */
  readonly say: (message: string, after?: string | null) => Promise<boolean>
  /** Sends the results of the calls at the end of the branch, in their order. */
  readonly giveResults: (results: readonly TypedResult[], after: string) => Promise<boolean>
  /** Asks for another answer to a question. */
  readonly again: (question: Entry) => Promise<boolean>
  readonly stop: () => void
  readonly live: Live
  readonly isSending: boolean
  readonly error: Error | undefined
  /** Whether the thread came through the gateway: then its tools are run by hand. */
  readonly isRelayed: boolean
  /** Set if the user chooses the model. */
  readonly models?: ModelChoice | undefined
  /** The run that the thread belongs to. Users cannot write in such a thread. */
  readonly run?: string | undefined
}

export const SpeechContext = createContext<Speech | undefined>(undefined)

export function useSpeech(): Speech {
  const speech = use(SpeechContext)
  if (!speech) throw new Error('No speech: render this below SpeechContext.')
  return speech
}

/** For threads whose turns the server runs. Leaving the page does not stop a turn. */
export function useNativeSpeech(thread: string, shown: () => Promise<void>): Speech {
  const client = useClient()
  const live = useLive(thread)
  const { data } = useThread(thread)
  const isOn = data?.setup !== undefined && data.setup.model === undefined && runPlace(thread) === undefined
  const models = useModelChoice({ isOn, before: data?.model })
  const params = { path: { thread } }
  const say = useMutation({
    mutationFn: async ({ message, after }: { readonly message: string; readonly after: string | null | undefined }) =>
      unwrap(
        await client.POST('/minutebook/v1/threads/{thread}/turns', {
          params,
          body: {
            message,
            id: crypto.randomUUID(),
            ifBusy: 'queue',
            ...(after !== undefined && { after }),
            ...(models?.named !== undefined && { model: models.named }),
          },
        }),
      ),
    onSuccess: shown,
  })
  const retry = useMutation({
    mutationFn: async () => unwrap(await client.POST('/minutebook/v1/threads/{thread}/retry', { params })),
    onSuccess: shown,
  })
  const stop = useMutation({
    mutationFn: async () => unwrap(await client.POST('/minutebook/v1/threads/{thread}/cancel', { params })),
  })
  return {
    say: (message, after) => settled(say.mutateAsync({ message, after })),
    giveResults: () => Promise.resolve(false),
    again: () => settled(retry.mutateAsync()),
    stop: () => stop.mutate(),
    live,
    isSending: say.isPending || retry.isPending || stop.isPending,
    error: say.error ?? retry.error ?? stop.error ?? undefined,
    isRelayed: false,
    models,
  }
}

/** Whether the promise was fulfilled. */
function settled(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

type RelayTurn = components['schemas']['RelayTurn']

const resting: Live = { text: '', isRunning: false }

/**
 * For threads that came through the gateway: the user takes the app's place, on a branch of the console. Leaving the
 * page stops the turn.
 */
export function useRelayedSpeech(thread: string, shown: () => Promise<void>): Speech {
  const client = useClient()
  const queries = useQueryClient()
  const followed = useLive(thread)
  const [live, setLive] = useState(resting)
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const relay = useMutation({
    mutationFn: async (body: RelayTurn) => {
      leaving.current = new AbortController()
      const { signal } = leaving.current
      const answer = await client.POST('/minutebook/v1/threads/{thread}/relay', {
        params: { path: { thread } },
        body: { id: crypto.randomUUID(), ...body },
        headers: { accept: 'text/event-stream' },
        parseAs: 'stream',
        signal,
      })
      const stream = unwrap(answer)
      setLive({ text: '', isRunning: true })
      await shown()
      void hear(stream)
    },
  })
  const hear = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    let text = ''
    try {
      for await (const { event, data } of eventsIn(stream)) {
        if (event !== 'text') continue
        text = text.slice(0, data.offset) + data.text
        setLive({ text, isRunning: true })
      }
    } catch {
      // Stopped, or the server is gone. The log has what was recorded.
    }
    await queries.invalidateQueries({ queryKey: ['entries', thread] })
    setLive(resting)
    void queries.invalidateQueries({ queryKey: ['calls', thread] })
    void queries.invalidateQueries({ queryKey: ['thread', thread] })
  }
  return {
    say: (message, after) => settled(relay.mutateAsync({ message, ...(after !== undefined && { after }) })),
    giveResults: (results, after) =>
      settled(
        relay.mutateAsync({
          results: results.map(({ id, name, text }) => ({ name, text, ...(id !== undefined && { id }) })),
          after,
        }),
      ),
    again: ({ id }) => settled(relay.mutateAsync({ again: id })),
    stop: () => leaving.current.abort(),
    live: live.isRunning ? live : { ...followed, isRunning: false, text: '' },
    isSending: relay.isPending,
    error: relay.error ?? undefined,
    isRelayed: true,
  }
}
