import type { ShownEntry } from '@minutebook/server'
import { expect, test } from 'vitest'
import { createPaint } from '../src/terminal/terminal.ts'
import { entryLines } from '../src/thread/thread.ts'

const entry: ShownEntry = {
  id: '9f2c4e',
  parent: null,
  seq: 0,
  kind: 'user',
  origin: 'user',
  status: 'complete',
  text: 'What is new?',
  calls: [],
  images: 1,
  attachments: [
    { type: 'document', text: 'Lamps\nA lamp \u001b[31mis.' },
    { type: 'document', media: 'application/pdf', text: '' },
  ],
  turn: 1,
}

test.each([
  [false, ['> Lamps A lamp \\u{1b}[31mis. (2 lines)']],
  [true, ['> Lamps', '> A lamp \\u{1b}[31mis.']],
])('an attachment is named, and shows what it says (in full: %s)', (full, said) => {
  const lines = entryLines(entry, 60, createPaint(false), full).map((line) => line.slice(12))
  expect(lines).toEqual(['What is new?', '(document)', ...said, '(document, application/pdf)', '(1 image)'])
})
