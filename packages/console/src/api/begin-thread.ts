import type { Thread } from '@minutebook/client'
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'
import { unwrap, useClient } from './api.tsx'
import { useModelChoice } from './models.ts'
import type { Speech } from './speech.ts'

/** For a thread that does not exist yet: its first message makes it. `show` goes to it. */
export function useFirstSpeech(show: (thread: string) => Promise<void>): Speech {
  const client = useClient()
  const queries = useQueryClient()
  const models = useModelChoice({ isOn: true })
  // If the message was refused, the next one goes to the same thread.
  const made = useRef<string>(undefined)
  const say = useMutation({
    mutationFn: async (message: string) => {
      const model = models?.named
      made.current ??= unwrap(
        await client.POST('/minutebook/v1/threads', { body: model === undefined ? {} : { setup: { model } } }),
      ).thread
      const params = { path: { thread: made.current } }
      unwrap(
        await client.POST('/minutebook/v1/threads/{thread}/turns', {
          params,
          body: { message, id: crypto.randomUUID(), ...(model !== undefined && { model }) },
        }),
      )
      return made.current
    },
    onSuccess: async (thread) => {
      await show(thread)
      void queries.invalidateQueries({ queryKey: ['newest'] })
    },
  })
  return {
    say: (message) =>
      say.mutateAsync(message).then(
        () => true,
        () => false,
      ),
    giveResults: () => Promise.resolve(false),
    again: () => Promise.resolve(false),
    stop: () => undefined,
    live: { text: '', isRunning: false },
    isSending: say.isPending,
    error: say.error ?? undefined,
    isRelayed: false,
    models,
  }
}

/** Has the server write the example thread. `show` goes to it. */
export function useExample(show: (thread: string) => Promise<void>): UseMutationResult<Thread, Error, void> {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () => unwrap(await client.POST('/minutebook/v1/example', {})),
    onSuccess: async ({ thread }) => {
      await show(thread)
      void queries.invalidateQueries({ queryKey: ['newest'] })
    },
  })
}
