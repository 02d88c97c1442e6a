import type { components, Thread } from '@minutebook/client'
import { placeOfThread } from '@minutebook/experiment/run'
import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import { unwrap, useClient } from './api.tsx'

type Schemas = components['schemas']

/** A thread in brief. */
export function useThread(thread: string): UseQueryResult<Thread> {
  const client = useClient()
  return useQuery({
    queryKey: ['thread', thread],
    queryFn: async () => unwrap(await client.GET('/minutebook/v1/threads/{thread}', { params: { path: { thread } } })),
  })
}

/** A state of a thread as of an entry. Default: as it is now. */
export function useThreadState(thread: string, name: string, at: string | undefined): UseQueryResult<Schemas['State']> {
  const client = useClient()
  return useQuery({
    queryKey: ['state', thread, name, at],
    queryFn: async () =>
      unwrap(
        await client.GET('/minutebook/v1/threads/{thread}/state/{state}', {
          params: { path: { thread, state: name }, query: at === undefined ? {} : { at } },
        }),
      ),
    placeholderData: (before) => before,
  })
}

/** Erases every branch of a thread. */
export function useErase(thread: string): UseMutationResult<Schemas['Erasure'], Error, void> {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () =>
      unwrap(await client.POST('/minutebook/v1/threads/{thread}/erase', { params: { path: { thread } }, body: {} })),
    onSuccess: () => void queries.invalidateQueries(),
  })
}

/** Gives a thread a title. An empty one removes it. */
export function useRename(thread: string): UseMutationResult<Thread, Error, string> {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (title: string) =>
      unwrap(
        await client.PATCH('/minutebook/v1/threads/{thread}/metadata', {
          params: { path: { thread } },
          body: { title: title === '' ? null : title },
        }),
      ),
    onSuccess: () => void queries.invalidateQueries(),
  })
}

/** Saves a thread as a file. A link could not say who asks, so the page fetches the file itself. */
export function useExport(thread: string): UseMutationResult<void, Error, void> {
  const client = useClient()
  return useMutation({
    mutationFn: async () =>
      saveFile(
        `${thread.replace(/[^\w.-]/g, '_')}.jsonl`,
        unwrap<Blob>(
          await client.GET('/minutebook/v1/threads/{thread}/export', { params: { path: { thread } }, parseAs: 'blob' }),
        ),
      ),
  })
}

/**
 * Saves a blob as a download with this name.
 *
 * @example
 * saveFile('garden.jsonl', await response.blob())
 */
function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  // The browser reads it later.
  setTimeout(() => URL.revokeObjectURL(address), keptFor)
}

/** Milliseconds. */
const keptFor = 60_000

interface RunPlace {
  readonly run: string
  readonly participant: string
}

/**
 * The run and participant that a thread belongs to. Undefined for all other threads.
 *
 * @example
 * runPlace('run/stand-1/ann') // { run: 'stand-1', participant: 'ann' }
 */
export function runPlace(thread: string): RunPlace | undefined {
  const { run, participant } = placeOfThread(thread) ?? {}
  return run === undefined || participant === undefined ? undefined : { run, participant }
}

/** The title of a thread: its participant and run, else its first question, else its name. */
export function threadTitle(thread: string, title: string | null | undefined): string {
  const place = runPlace(thread)
  return place ? `${place.participant} in ${place.run}` : (title ?? thread)
}
