import { eventsIn, type components, type MinutebookClient } from '@minutebook/client'
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import type { Message, ToolSchema } from 'minutebook'
import { unwrap, useClient } from './api.tsx'

type Schemas = components['schemas']

/** The prompt that the lab shows, to send as it is. */
export interface PromptRequest {
  readonly thread: string
  /** The recorded call that it is a variant of. */
  readonly receipt: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  /** The window, in tokens, that it was made for. */
  readonly window: number
  /** Of the messages and tools, computed in the browser. */
  readonly hash: string
}

/** The answer so far. */
export interface PromptAnswer {
  /** The new thread that the prompt was sent on. */
  readonly thread: string
  readonly text: string
  /** The tools that the model calls. */
  readonly calls: readonly { readonly name: string; readonly arguments?: unknown }[]
  readonly isOver: boolean
  /** Why there is no answer. */
  readonly reason?: string | undefined
  /** The call, with the hash of what was sent, once it is recorded. */
  readonly receipt?: { readonly id: string; readonly hash: string } | undefined
}

/**
 * Sends a prompt, and hands on the answer as it is written. `load`: the model server may load the model with a larger
 * window for it.
 */
export function useSendPrompt(): (
  request: PromptRequest,
  load: boolean,
  onAnswer: (answer: PromptAnswer) => void,
  signal: AbortSignal,
) => Promise<void> {
  const client = useClient()
  const queries = useQueryClient()
  return (request, load, onAnswer, signal) =>
    sendPrompt(client, request, load, onAnswer, signal).finally(
      () => void queries.invalidateQueries({ queryKey: ['threads'] }),
    )
}

async function sendPrompt(
  client: MinutebookClient,
  { thread: about, receipt: of, messages, tools, window }: PromptRequest,
  load: boolean,
  onAnswer: (answer: PromptAnswer) => void,
  signal: AbortSignal,
): Promise<void> {
  const body = { messages, tools, window, load } as unknown as Schemas['AskedPrompt']
  const stream = unwrap(
    await client.POST('/minutebook/v1/threads/{thread}/calls/{receipt}/prompts', {
      params: { path: { thread: about, receipt: of } },
      body,
      headers: { accept: 'text/event-stream' },
      parseAs: 'stream',
      signal,
    }),
  )
  let asked: PromptAnswer = { thread: '', text: '', calls: [], isOver: false }
  const add = (news: Partial<PromptAnswer>): void => onAnswer((asked = { ...asked, ...news }))
  for await (const { event, data } of eventsIn(stream)) {
    if (event === 'recorded') add({ thread: data.thread })
    if (event === 'text') add({ text: asked.text.slice(0, data.offset) + data.text })
    if (event === 'end') add({ reason: (data as { readonly reason?: { readonly message?: string } }).reason?.message })
  }
  const params = { path: { thread: asked.thread } }
  const [{ calls }, { entries }] = await Promise.all([
    client.GET('/minutebook/v1/threads/{thread}/calls', { params, signal }).then(unwrap),
    client.GET('/minutebook/v1/threads/{thread}/entries', { params, signal }).then(unwrap),
  ])
  const answer = entries.findLast(({ kind }) => kind === 'assistant')
  add({ isOver: true, receipt: calls.at(-1)?.receipt, ...(answer && { text: answer.text, calls: answer.calls }) })
}

/** The log of a thread, line by line, and the server's token counts of its texts. */
interface RecordedLog {
  readonly lines: readonly string[]
  readonly counts: Schemas['Counts']
}

export function useLogReader(): (thread: string, signal: AbortSignal) => Promise<RecordedLog> {
  const client = useClient()
  return async (thread, signal) => {
    const params = { path: { thread } }
    const [text, counts] = await Promise.all([
      client.GET('/minutebook/v1/threads/{thread}/export', { params, parseAs: 'text', signal }).then(unwrap),
      client.GET('/minutebook/v1/threads/{thread}/counts', { params, signal }).then(unwrap),
    ])
    return { lines: text.split('\n'), counts }
  }
}

/** Keeps a policy under a name. */
export function useSavePolicy(): UseMutationResult<
  Schemas['NamedPolicy'],
  Error,
  { readonly name: string; readonly config: object }
> {
  const client = useClient()
  return useMutation({
    mutationFn: async ({ name, config }: { readonly name: string; readonly config: object }) =>
      unwrap(
        await client.PUT('/minutebook/v1/policies/{policy}', {
          params: { path: { policy: name } },
          body: config as never,
        }),
      ),
  })
}
