import { useMutation } from '@tanstack/react-query'
import { useClient } from '../api/client-context.tsx'
import { useLive } from '../api/live.ts'
import { unwrap } from '../api/unwrap.ts'
import type { Speech } from './speech.ts'

/** Speech on a thread whose turns the server runs: whoever leaves does not stop them. */
export function useNativeSpeech(thread: string, shown: () => Promise<void>): Speech {
  const client = useClient()
  const live = useLive(thread)
  const params = { path: { thread } }
  const say = useMutation({
    mutationFn: async ({ message, after }: { readonly message: string; readonly after: string | null | undefined }) =>
      unwrap<unknown>(
        await client.POST('/minutebook/v1/threads/{thread}/turns', {
          params,
          body: { message, id: crypto.randomUUID(), ifBusy: 'queue', ...(after !== undefined && { after }) },
        }),
      ),
    onSuccess: shown,
  })
  const retry = useMutation({
    mutationFn: async () => unwrap<unknown>(await client.POST('/minutebook/v1/threads/{thread}/retry', { params })),
    onSuccess: shown,
  })
  const stop = useMutation({
    mutationFn: async () => unwrap<unknown>(await client.POST('/minutebook/v1/threads/{thread}/cancel', { params })),
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
  }
}

/** Whether it came about. */
export function settled(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
