import type { Model, ModelRequest } from 'minutebook'
import { scriptedModel, type ScriptedAnswer } from '@minutebook/testing'

/** A participant without a language model: what it says hangs on the round, and on what it was told there. */
export function scriptedSpeaker(name: string): Model {
  return scriptedModel(
    Array.from({ length: 50 }, () => (request: ModelRequest) => speak(name, request)),
    { model: 'scripted' },
  )
}

export function speak(name: string, { messages }: Pick<ModelRequest, 'messages'>): Said {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const view = String(messages[asked]?.content)
  if (name === 'judge') return judge(view, messages.length > asked + 1)
  const line =
    Object.entries(lines[name] ?? {}).find(([round]) => view.includes(`: ${round}\n`))?.[1] ?? 'I have nothing to add.'
  return { text: view.includes('judge to you: ') ? `${line} To the judge: the council pays for it.` : line }
}

type Said = Pick<ScriptedAnswer, 'text' | 'calls'>

const lines: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ann: {
    opening: 'Since Oslo closed its harbour, twice as many people come to the water.',
    rebuttal: 'Shops lose drivers and win walkers, who come more often.',
    closing: 'Open the water to people, and let boats bring them.',
  },
  bob: {
    opening: 'Half of the traders at the quay get their goods by van.',
    rebuttal: 'Oslo had trams first. We have one bus an hour.',
    closing: 'First the trams, then the ban.',
  },
}

function judge(view: string, isDone: boolean): Said {
  const isVerdict = view.includes(': verdict\n')
  if (isDone) return { text: isVerdict ? 'The scores are in.' : 'I have asked my question.' }
  if (!isVerdict) return { calls: [{ name: 'tell', arguments: { to: 'bob', text: 'Who would pay for the trams?' } }] }
  const answered = view.includes('To the judge:')
  return {
    calls: [
      { name: 'score', arguments: { debater: 'ann', points: 7 } },
      { name: 'score', arguments: { debater: 'bob', points: answered ? 8 : 5 } },
    ],
  }
}
