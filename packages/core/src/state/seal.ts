import { attachedTexts } from '../log/attachment.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { matchCall } from '../log/exchange.ts'
import { canonicalJson, parseJson } from '../log/json.ts'
import { argumentsText, readMessage, type Call, type Message } from '../log/message.ts'
import { traits } from '../log/kind.ts'
import { noCalls } from '../log/unanswered-calls.ts'
import { survivesJson } from './state-snapshot.ts'
import { settle } from './state.ts'

/** A secret with which results are sealed, and its name. */
export interface SealKey {
  /** It is part of each seal, so it is public: at most 32 letters, digits, `_` and `-`. */
  readonly id: string
  /** At least 32 random bytes, such as `openssl rand -hex 32` prints. */
  readonly secret: string
}

/** How results are sealed. */
export interface SealOptions {
  /**
   * The first key seals, and all of them verify. To replace a key, put the new one first, and remove the old one after
   * the conversations that it sealed went on or are over.
   */
  readonly keys: readonly SealKey[]
}

/** Whose results these are. A seal is valid only here. */
export interface SealContext {
  readonly subject: string
  readonly conversation: string
}

/** A result of a tool with its call, and how the call ended. */
export interface SealedResult {
  readonly call: Call
  readonly text: string
  readonly status: Exclude<Entry['status'], 'erased'>
}

/**
 * How does a server without a store know its own results? It seals them: HMAC-SHA-256 over subject, conversation, call,
 * result and the seal before it. The client keeps the seals and sends them back with the history.
 */
export interface Sealer {
  /** Returns one seal for each result, in order. */
  seal(context: SealContext, results: readonly SealedResult[]): Promise<string[]>
  /**
   * The results in a history that were sealed here, in this order, by the index of their messages. A result
   * that was forged, changed, moved or comes from elsewhere is not among them, and neither are those after a result
   * that is missing. It cannot tell that the newest results are missing.
   */
  find(
    context: SealContext,
    messages: readonly Message[],
    seals: readonly unknown[],
  ): Promise<ReadonlyMap<number, SealedResult>>
}

/** A key as WebCrypto holds it. Its name differs between runtimes. */
type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Throws `invalid_seal_key` if a key would not protect anything. */
export function createSealer({ keys }: SealOptions): Sealer {
  const encoder = new TextEncoder()
  checkKeys(keys, (secret) => encoder.encode(secret).length)
  const imported = new Map<string, Promise<ImportedKey>>()
  const keyOf = ({ id, secret }: SealKey): Promise<ImportedKey> => {
    const known =
      imported.get(id) ?? crypto.subtle.importKey('raw', encoder.encode(secret), hmac, false, ['sign', 'verify'])
    imported.set(id, known)
    return known
  }
  return {
    seal: async (context, results) => {
      const [key] = keys as readonly [SealKey]
      const seals: string[] = []
      for (const result of results) {
        const text = sealedText(key.id, context, result, seals.at(-1))
        const code = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(key), encoder.encode(text)))
        const digits = Array.from(code, (byte) => byte.toString(16).padStart(2, '0')).join('')
        seals.push(`${key.id}.${result.status}.${digits}`)
      }
      return seals
    },
    find: async (context, messages, seals) => {
      const found = new Map<number, SealedResult>()
      let open = noCalls
      for (const [index, message] of messages.entries()) {
        if (found.size === seals.length) break
        const content = readMessage(message)
        const { answers: call, open: left } = matchCall(content, open)
        if (content.kind !== 'tool') open = left
        const seal = readSeal(seals[found.size])
        const key = keys.find(({ id }) => id === seal?.key)
        if (!call || !seal || !key || attachedTexts(content).length > 0) continue
        const result = { call, text: content.text, status: seal.status }
        const text = sealedText(key.id, context, result, found.size === 0 ? undefined : String(seals[found.size - 1]))
        // `verify` compares in constant time.
        if (!(await crypto.subtle.verify('HMAC', await keyOf(key), seal.code, encoder.encode(text)))) continue
        found.set(index, result)
        open = left
      }
      return found
    },
  }
}

/** The results on a branch that are to be sealed: those of tools that ran here, or were proven. */
export function resultsOf(branch: readonly Entry[]): SealedResult[] {
  let open = noCalls
  return branch.flatMap((entry) => {
    if (!traits[entry.kind].chained) return []
    const { answered: call, open: left } = settle(entry, open)
    open = left
    const { text, status, origin } = entry
    return call && origin === 'tool' && status !== 'erased' ? [{ call, text, status }] : []
  })
}

const hmac = { name: 'HMAC', hash: 'SHA-256' } as const

/** What is sealed. A list in JSON is unambiguous: no text can be read as two, or as the end of a list. */
function sealedText(
  key: string,
  { subject, conversation }: SealContext,
  { call, text, status }: SealedResult,
  before: string | undefined,
): string {
  const given = argumentsIdentity(call)
  return JSON.stringify([
    'minutebook seal 1',
    key,
    subject,
    conversation,
    before ?? null,
    call.id ?? null,
    call.name,
    given,
    status,
    text,
  ])
}

/** The arguments, no matter how a client writes the same JSON. Anything that is not faithful JSON counts as its text. */
function argumentsIdentity(call: Call): readonly [form: 'json' | 'text', text: string] {
  const value = typeof call.arguments === 'string' ? parseJson(call.arguments) : call.arguments
  return value !== undefined && survivesJson(value) ? ['json', canonicalJson(value)] : ['text', argumentsText(call)]
}

interface ReadSeal {
  readonly key: string
  readonly status: SealedResult['status']
  readonly code: Uint8Array<ArrayBuffer>
}

/** Undefined if it is not a seal. It comes from a client, so it can be anything. */
function readSeal(seal: unknown): ReadSeal | undefined {
  const [, key = '', status = '', digits = ''] =
    (typeof seal === 'string' && seal.length < 200 ? sealForm.exec(seal) : null) ?? []
  if (digits === '') return undefined
  const code = Uint8Array.from({ length: 32 }, (_, index) => parseInt(digits.slice(2 * index, 2 * index + 2), 16))
  return { key, status: status as SealedResult['status'], code }
}

const sealForm = /^([\w-]{1,32})\.(complete|partial|cancelled|failed)\.([0-9a-f]{64})$/

/** The fewest bytes of a secret: as many as SHA-256 has. */
const shortest = 32

function checkKeys(keys: readonly SealKey[], lengthOf: (secret: string) => number): void {
  const ids = keys.map(({ id }) => id)
  if (keys.length === 0) throw invalidKeyError('there is none', 'Pass { keys: [{ id, secret }] }.')
  for (const [index, { id, secret }] of keys.entries()) {
    if (typeof id !== 'string' || !/^[\w-]{1,32}$/.test(id))
      throw invalidKeyError(`key ${index + 1} has no usable id`, 'Use at most 32 letters, digits, _ and -.')
    if (ids.indexOf(id) < index) throw invalidKeyError(`two keys have the id ${id}`, 'Give each a different one.')
    if (typeof secret !== 'string' || lengthOf(secret) < shortest)
      throw invalidKeyError(
        `the secret of key ${id} has less than ${shortest} bytes`,
        'Make one with: openssl rand -hex 32.',
      )
  }
}

function invalidKeyError(what: string, fix: string): MinutebookError {
  return new MinutebookError('invalid_seal_key', `Results cannot be sealed: ${what}.`, fix)
}
