import { describe, expect, test } from 'vitest'
import { gathered, recorded } from '../../../../tests/support/server/recorded.ts'
import { createLabWorker, type LabWorker } from '../../src/lab/lab-worker.ts'
import type { LabQuestion, LabResponse } from '../../src/lab/lab-messages.ts'

const questions = Array.from({ length: 8 }, (_, index) => `question ${index} about ferns, moss and the shade of walls`)

/** A worker whose clock goes on by a long while with every look at it, so that it breathes after every prompt. */
async function worker(): Promise<{
  readonly ask: (id: number, question: LabQuestion, asked: unknown) => void
  readonly told: LabResponse[]
  readonly rest: () => Promise<void>
  readonly receipt: string
}> {
  const { book } = await recorded({ garden: questions }, [], { window: 300 })
  const lines = await gathered(book.thread('garden').export())
  const told: LabResponse[] = []
  let time = 0
  const made: LabWorker = createLabWorker({
    respond: (response) => void told.push(response),
    breathe: () => new Promise((resolve) => setTimeout(resolve, 0)),
    now: () => (time += 100),
  })
  const ask = (id: number, question: LabQuestion, asked: unknown): void => made.take({ id, question, asked })
  const rest = async (): Promise<void> => {
    const wanted = new Set<number>()
    for (let quiet = 0; quiet < 20; quiet++) {
      await new Promise((resolve) => setTimeout(resolve, 2))
      if (told.length > wanted.size) quiet = 0
      for (const { id } of told) wanted.add(id)
    }
  }
  ask(0, 'open', { lines, counts: { counter: null, counts: {} } })
  await rest()
  const { answer } = told.pop() as { answer: { receipts: { id: string }[] } }
  return { ask, told, rest, receipt: answer.receipts.at(-1)!.id }
}

const brief = (told: readonly LabResponse[]): string[] =>
  told.map(
    (response) => `${response.id} ${'dropped' in response ? 'dropped' : 'failure' in response ? 'failed' : 'answered'}`,
  )

describe('the worker of the lab', () => {
  test('answers a call while all of them are made', async () => {
    const { ask, told, rest, receipt } = await worker()
    ask(1, 'all', { changes: { window: 400 } })
    await new Promise((resolve) => setTimeout(resolve, 1))
    ask(2, 'call', { receipt, changes: { window: 500 } })
    await rest()
    expect(brief(told)).toEqual(['2 answered', '1 answered'])
    expect((told[1] as { answer: unknown[] }).answer).toHaveLength(questions.length)
  })

  test('leaves a wish that another one takes the place of', async () => {
    const { ask, told, rest, receipt } = await worker()
    for (let id = 1; id <= 3; id++) ask(id, 'call', { receipt, changes: { window: 300 + id } })
    for (let id = 4; id <= 5; id++) ask(id, 'all', { changes: { window: 300 + id } })
    await rest()
    expect(brief(told)).toEqual(['1 dropped', '2 dropped', '4 dropped', '3 answered', '5 answered'])
  })

  test('ends what is being made for all where it is asked for anew', async () => {
    const { ask, told, rest } = await worker()
    ask(1, 'all', { changes: { window: 400 } })
    await new Promise((resolve) => setTimeout(resolve, 1))
    ask(2, 'all', { changes: { window: 500 } })
    await rest()
    expect(brief(told)).toEqual(['1 dropped', '2 answered'])
  })

  test('tells a failure, and goes on', async () => {
    const { ask, told, rest, receipt } = await worker()
    ask(1, 'call', { receipt: 'nobody', changes: {} })
    await rest()
    ask(2, 'call', { receipt, changes: {} })
    await rest()
    expect(brief(told)).toEqual(['1 failed', '2 answered'])
  })
})
