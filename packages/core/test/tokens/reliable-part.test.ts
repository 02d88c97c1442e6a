import { expect, test } from 'vitest'
import { reliablyCountedPart } from '../../src/tokens/prediction.ts'

const table: readonly (readonly [text: string, sure: string])[] = [
  ['The harbour was quiet.', 'The harbour was quiet.'],
  ['Straße, façade', 'Straße, façade'],
  ['The lamp: 2026 ------ 灯', 'The lamp:  - '],
  ['a    b', 'a b'],
  ['12,345.67', ',.'],
  ['শিক্ষক 👩‍💻\n', ' '],
  ['', ''],
]

test.each(table)('of %j an estimate is sure of %j', (text, sure) => expect(reliablyCountedPart(text)).toBe(sure))
