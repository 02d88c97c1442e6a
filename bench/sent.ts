import type { Message } from './conversation.ts'
import type { Prompt } from './strategy.ts'

/** Whether the prompt's text bears out what its plan says about this message of the log. */
export function isSent(prompt: Prompt, log: readonly Message[], index: number): boolean {
  const message = log[index]
  if (message === undefined) return false
  switch (prompt.fate(index)) {
    case 'verbatim':
      return prompt.messages.some(({ text }) => text.includes(message.text)) || prompt.messages.some(({ text }) => quotes(text, message.text))
    case 'clipped':
      return prompt.messages.some(({ role, text }) => role === message.role && text.startsWith(firstWord(message.text)))
    case 'gone':
      return false
  }
}

// In a recalled text, a line that looks like one of the block's own is set in by a blank.
function quotes(text: string, wanted: string): boolean {
  return text.includes(firstWord(wanted)) && unquoted(text).includes(unquoted(wanted))
}

function unquoted(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^ (?=\[|#\d)/, ''))
    .join('\n')
}

function firstWord(text: string): string {
  return /\S+/.exec(text)?.[0] ?? ''
}
