import type { Thread } from '@minutebook/client'
import { placeOfThread } from '@minutebook/experiment/run'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { unwrap, useClient } from './api.tsx'

/** A thread in brief. */
export function useThread(thread: string): UseQueryResult<Thread> {
  const client = useClient()
  return useQuery({
    queryKey: ['thread', thread],
    queryFn: async () =>
      unwrap<Thread>(await client.GET('/minutebook/v1/threads/{thread}', { params: { path: { thread } } })),
  })
}

interface RunPlace {
  readonly run: string
  readonly participant: string
}

/**
 * Whose thread it is, where it is of a participant of a run: nobody else can name one so.
 *
 * @example
 * runPlace('run/stand-1/ann') // { run: 'stand-1', participant: 'ann' }
 */
export function runPlace(thread: string): RunPlace | undefined {
  const { run, participant } = placeOfThread(thread) ?? {}
  return run === undefined || participant === undefined ? undefined : { run, participant }
}

/** What a thread is called: by what was asked first, by whose it is in a run, else by its name. */
export function threadTitle(thread: string, title: string | null | undefined): string {
  const place = runPlace(thread)
  return place ? `${place.participant} in ${place.run}` : (title ?? thread)
}

/**
 * Has the browser save what was fetched, as a download of that name.
 *
 * @example
 * saveFile('garden.jsonl', await response.blob())
 */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  // The browser reads it after this step.
  setTimeout(() => URL.revokeObjectURL(address), keptFor)
}

/** Milliseconds. */
const keptFor = 60_000
