import type { Message } from './conversation.ts'
import type { Prompt } from './strategy.ts'

/** Whether the prompt's text bears out what its plan says about this message of the log. */
export function isSent(prompt: Prompt, log: readonly Message[], index: number): boolean {
  const message = log[index]
  if (message === undefined) return false
  switch (prompt.fate(index)) {
    case 'verbatim':
      return (
        prompt.messages.some(({ text }) => text.includes(message.text)) ||
        prompt.messages.some(({ text }) => quotes(text, message.text))
      )
    case 'clipped':
      return prompt.messages.some(({ role, text }) => role === message.role && text.startsWith(firstWord(message.text)))
    case 'gone':
      return false
  }
}

// In a recalled text, every line but the first begins with a mark.
function quotes(text: string, wanted: string): boolean {
  return text.includes(firstWord(wanted)) && unmarked(text).includes(wanted)
}

function unmarked(text: string): string {
  return text.replaceAll(/(?<=[\n\v\f\r\u0085\u2028\u2029])> /g, '')
}

function firstWord(text: string): string {
  return /\S+/.exec(text)?.[0] ?? ''
}
