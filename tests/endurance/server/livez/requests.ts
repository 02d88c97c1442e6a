import { memoryStore, openBook, type Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { known, plainOperations } from '../complexity/cases.ts'
import { kinds } from '../complexity/kinds.ts'
import type { Sent } from '../complexity/measured-server.ts'

/** A request that is larger or asks for more than others. `unique`: a word that no request had before. */
export interface LargeRequest {
  readonly name: string
  readonly request: (unique: string) => Sent
  /** What has to be there for it, made before anything is measured. */
  readonly before?: ((unique: string) => Sent) | undefined
}

const words = 'the quick brown fox sees 42 green apples, “ripe” ones, and rests under the tree. '
const text = (length: number): string => words.repeat(Math.ceil(length / words.length)).slice(0, length)

/** Chats and responses up to what the server takes. `scale`: 1 is all of it. */
export function largeChats(scale: number): LargeRequest[] {
  const many =
    (model: string, each: number) =>
    (unique: string): Sent => ({
      path: '/v1/chat/completions',
      body: {
        model,
        messages: Array.from({ length: 2 * Math.floor(9999 * scale) + 1 }, (_, index) => ({
          role: index % 2 ? 'assistant' : 'user',
          content: `${index} ${unique} ${text(each)}`,
        })),
      },
    })
  const schema = { type: 'object', properties: { place: { type: 'string', description: text(1000) } } }
  return [
    {
      name: 'a long message',
      request: (unique) => ({
        path: '/v1/chat/completions',
        body: { model: 'plain', messages: [{ role: 'user', content: unique + text(8e6 * scale) }] },
      }),
    },
    {
      name: 'a long message that does not fit',
      request: (unique) => ({
        path: '/api/chat',
        body: {
          model: 'small',
          messages: [
            { role: 'system', content: unique },
            { role: 'user', content: text(8e6 * scale) },
            { role: 'assistant', content: 'yes' },
            { role: 'user', content: 'Go on.' },
          ],
        },
      }),
    },
    {
      name: 'a long response',
      request: (unique) => ({ path: '/v1/responses', body: { model: 'plain', input: unique + text(8e6 * scale) } }),
    },
    { name: 'many messages', request: many('plain', 200) },
    { name: 'many messages that do not fit', request: many('small', 600) },
    {
      name: 'a large image',
      request: (unique) => ({
        path: '/api/chat',
        body: {
          model: 'plain',
          messages: [{ role: 'user', content: 'What is it?', images: [unique + 'iVBORw0KGgo'.repeat(1.8e6 * scale)] }],
        },
      }),
    },
    {
      name: 'many images',
      request: (unique) => ({
        path: '/v1/chat/completions',
        body: {
          model: 'plain',
          messages: Array.from({ length: 20 }, (_, index) => ({
            role: 'user',
            content: [
              {
                type: 'image_url',
                image_url: { url: `data:image/png;base64,${index}${unique}${'iVBORw0KGgo'.repeat(1e5 * scale)}` },
              },
            ],
          })),
        },
      }),
    },
    {
      name: 'many tools',
      request: (unique) => ({
        path: '/api/chat',
        body: {
          model: 'plain',
          messages: [{ role: 'user', content: unique }],
          tools: Array.from({ length: 1000 * scale }, (_, index) => ({
            type: 'function',
            function: { name: `tool_${index}`, description: text(2000), parameters: schema },
          })),
        },
      }),
    },
    {
      name: 'many calls',
      request: (unique) => ({
        path: '/api/chat',
        body: {
          model: 'plain',
          messages: [
            { role: 'user', content: unique },
            ...Array.from({ length: 50 }, () => ({
              role: 'assistant',
              content: '',
              tool_calls: Array.from({ length: 1000 * scale }, (_, index) => ({
                function: { name: `tool_${index}`, arguments: { place: words } },
              })),
            })),
            { role: 'user', content: 'Go on.' },
          ],
        },
      }),
    },
    {
      name: 'a chat that is not recorded',
      request: (unique) => ({
        path: '/v1/chat/completions',
        headers: { 'minutebook-record': 'no' },
        body: {
          model: 'small',
          messages: [
            { role: 'user', content: unique + text(8e6 * scale) },
            { role: 'user', content: 'Go on.' },
          ],
        },
      }),
    },
  ]
}

/**
 * Every operation of the API, each once: on a thread that is long, if it is about one. What ends the thread comes last.
 */
export function operations(): LargeRequest[] {
  const isEnd = ({ name }: LargeRequest): boolean => /erase|DELETE/.test(name)
  const all = plainOperations()
  return [...all.filter((each) => !isEnd(each)), ...all.filter(isEnd)]
}

/**
 * A request with as many blocks of each kind as one message may have, and one with as many as fit into the server's
 * memory. `scale`: with less than 1, only those of Anthropic's protocol, which have the most kinds.
 */
export function everyKind(scale: number): LargeRequest[] {
  return kinds
    .filter(({ name }) => scale === 1 || name.startsWith('/v1/messages:'))
    .flatMap(({ name, request }) =>
      [1000, 160_000 * scale].map((size) => ({
        name: `${name}, ${size}`,
        request: (unique: string) => request(size, unique),
      })),
    )
}

/** The lines of an export of a long conversation. */
export async function longExport(length: number): Promise<string> {
  const store = memoryStore()
  const log: Entry[] = []
  for (let seq = 0; seq < length; seq++)
    log.push(entryOf({ role: seq % 2 ? 'assistant' : 'user', content: `${seq} ${text(200)}` }, log.at(-1)))
  await store.append('t', log)
  let lines = ''
  for await (const line of openBook({ store }).thread('t').export()) lines += `${line}\n`
  return lines
}

export const longThread: string = known['thread'] ?? ''
