import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages'
import { words } from '@minutebook/testing'
import type { Message } from 'minutebook'

/** A conversation with one tool call a week, and at its end a question about week 12. */
export function garden(weeks: number): BaseMessage[] {
  const spoken = Array.from({ length: weeks }, (_, index) => index + 1).flatMap((week) => [
    new HumanMessage({ id: `u${week}`, content: `Week ${week}: what do I sow in bed ${week}?` }),
    new AIMessage({ id: `a${week}`, content: '', tool_calls: [{ id: `c${week}`, name: 'look', args: { bed: week } }] }),
    new ToolMessage({ id: `r${week}`, tool_call_id: `c${week}`, name: 'look', content: soilOf(week) }),
    new AIMessage({
      id: `s${week}`,
      content: `Sow ${week % 2 ? 'spinach' : 'leek'} there, and water it on day ${week}.`,
    }),
  ])
  const last = new HumanMessage({ id: 'last', content: 'Which bed has clay? I mean week 12.' })
  return [new SystemMessage({ id: 'system', content: 'You help to plan a garden.' }), ...spoken, last]
}

/** What the tool says of a bed. */
export function soilOf(bed: number): string {
  return `bed ${bed} has ${bed === 12 ? 'clay' : 'sand'}, and it was dug over in spring`
}

/** Written from the provider's side, not by the converter that is tested. */
export function plain(messages: readonly BaseMessage[]): Message[] {
  const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', system: 'system', tool: 'tool' }
  return messages.map((message) => ({
    role: roles[message.type] ?? message.type,
    content: message.text,
    ...(AIMessage.isInstance(message) && {
      tool_calls: message.tool_calls?.map(({ id, name, args }) => ({ id, function: { name, arguments: args } })),
    }),
    ...(ToolMessage.isInstance(message) && { tool_call_id: message.tool_call_id }),
  }))
}

/** What messages cost at least: their words. */
export function costOf(messages: readonly BaseMessage[]): number {
  return messages.reduce((sum, { text }) => sum + words.count(text), 0)
}
