// The page of all headers, from the sources that read and set them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow, root } from '../support/workshop.ts'
import { code, page, table } from './markdown.ts'
import { compareNames, textsOf } from './texts.ts'

type Words = Readonly<Record<string, string>>

export function headersPage(): string {
  const { request, answer, standard } = textsOf<Readonly<Record<'request' | 'answer' | 'standard', Words>>>('headers')
  compareNames('headers', requestHeaders(), Object.keys(request))
  compareNames('headers', answerHeaders(), Object.keys(answer))
  const rows = (words: Words): string[][] => Object.entries(words).map(([name, text]) => [code(name), text])
  return page('Headers', introduction, [
    '## Of a request',
    table(['of a request', 'meaning'], rows(request)),
    '## Of an answer',
    table(['of an answer', 'meaning'], rows(answer)),
    '## Standard headers',
    'Headers that are not our own, and mean something here:',
    table(['header', 'meaning'], rows(standard)),
  ])
}

const introduction =
  'The headers of chats and responses through the gateway. [Running the gateway](../gateway.md#what-happens-to-a-chat) says what happens to a chat, and [what `truncated` means](../gateway.md#truncated-prompts).'

const sources = join(root, 'packages/server/src')

/** What the gateway reads of a chat, without what SDKs send by themselves. */
function requestHeaders(): string[] {
  const text = readFileSync(join(sources, 'gateway/request-headers.ts'), 'utf8')
  return [...text.matchAll(/headerIn\(headers, '([\w-]+)'\)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('x-'))
}

/** What the gateway sets: the names in front of a value. */
function answerHeaders(): string[] {
  const files = filesBelow(sources).filter((file) => /^(?:gateway|responses)\//.test(file))
  const text = files.map((file) => readFileSync(join(sources, file), 'utf8')).join('\n')
  return [...text.matchAll(/'(minutebook-[a-z-]+)':/g)].map(([, name = '']) => name)
}
