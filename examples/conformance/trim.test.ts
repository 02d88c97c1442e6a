import { checkConformance, conformanceReport } from '@minutebook/conformance'
import { expect, test } from 'vitest'
import { trim } from './trim.ts'

test('our trimmer keeps what it promises', async () => {
  const results = await checkConformance(trim, { only: ['system-kept', 'order', 'whole', 'input-kept', 'ends'] })
  const broken = results.filter(({ held }) => !held)
  expect(conformanceReport(broken)).toBe('')
})
