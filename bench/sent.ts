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

// A recalled text may stand in a quotation, where each line has a mark in front.
function quotes(text: string, wanted: string): boolean {
  return text.includes(firstWord(wanted)) && unquoted(text).includes(unquoted(wanted))
}

function unquoted(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^\s*[>|]\s?/, '').trimEnd())
    .join('\n')
    .trim()
}

function firstWord(text: string): string {
  return /\S+/.exec(text)?.[0] ?? ''
}
