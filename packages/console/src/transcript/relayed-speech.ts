import { eventsIn, type components } from '@minutebook/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../api/client-context.tsx'
import { useLive, type Live } from '../api/live.ts'
import { unwrap } from '../api/unwrap.ts'
import { settled } from './native-speech.ts'
import type { Speech } from './speech.ts'

type RelayTurn = components['schemas']['RelayTurn']

const resting: Live = { text: '', isRunning: false }

/**
 * Speech on a thread of the gateway, in its client's place: a branch of the console, whose tools wait for results by
 * hand. To leave is to stop.
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
      const stream = unwrap<ReadableStream<Uint8Array>>(answer as never)
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
      // Stopped, or the server is gone: the log tells what is left.
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
