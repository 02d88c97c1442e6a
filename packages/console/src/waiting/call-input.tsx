import { useState, type ReactElement } from 'react'
import type { WaitingCall } from '../api/waiting.ts'
import { grouped, readable, readableJson } from '../ui/text.ts'
import { Button, PlainText } from '../ui/ui.tsx'

/** What the tool gets, as JSON that hides nothing. A long text is folded. */
export function CallInput({ call }: { readonly call: WaitingCall['call'] }): ReactElement {
  const [isWhole, setWhole] = useState(false)
  const text = inputText(call)
  const start = beginning(text)
  if (isWhole || start === text)
    return (
      <div data-input>
        <PlainText text={text} />
      </div>
    )
  return (
    <div data-input="folded" className="space-y-1">
      <pre className="font-mono text-[13px] whitespace-pre-wrap [overflow-wrap:anywhere]">{readable(start)}…</pre>
      <Button small onClick={() => setWhole(true)}>
        Show all ({grouped(text.length)} characters)
      </Button>
    </div>
  )
}

/** The arguments as JSON, or as the model wrote them if they are not JSON. */
export function inputText({ input, arguments: given }: WaitingCall['call']): string {
  if (input !== undefined) return readableJson(input)
  return typeof given === 'string' ? given : readableJson(given ?? null)
}

/**
 * The part of a text that is shown before it is unfolded: all of a short one.
 *
 * @example
 * beginning('{"item":"fern"}') // '{"item":"fern"}'
 */
export function beginning(text: string): string {
  const lines = text.slice(0, mostCharacters + 1).split('\n')
  const start = lines.slice(0, mostLines).join('\n').slice(0, mostCharacters)
  // To unfold the last few words is more trouble than to read them.
  return text.length - start.length <= spare && lines.length <= mostLines + 2 ? text : start
}

const mostLines = 12
const mostCharacters = 600
const spare = 80

/** A question of the model to the user, and the answers that it offers. */
export interface Question {
  readonly question: string
  readonly options: readonly string[]
}

/**
 * What `ask_user` asks. Undefined for other calls, and if it does not ask.
 *
 * @example
 * questionOf({ name: 'ask_user', input: { question: 'Where?' } }) // { question: 'Where?', options: [] }
 */
export function questionOf({ name, input }: Pick<WaitingCall['call'], 'name' | 'input'>): Question | undefined {
  const { question, options } = Object(input) as { readonly question?: unknown; readonly options?: unknown }
  if (name !== 'ask_user' || typeof question !== 'string' || question.trim() === '') return undefined
  const offered = Array.isArray(options) ? options.filter((each): each is string => typeof each === 'string') : []
  return { question, options: offered.length <= mostOptions ? [...new Set(offered)] : [] }
}

/** With more, it is faster to type the answer. */
const mostOptions = 20
