import { expect, test } from 'vitest'
import { requestOf, statement } from '../src/connection/statement.ts'
import { statementTexts } from './support/statements.ts'

test.each(statementTexts())('%s has parameters with numbers alone, from 1 on, and no open place', (_, text) => {
  const numbers = [...text.matchAll(/\$(\w+)/g)].map(([, number]) => Number(number))
  expect([...new Set(numbers)].toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: Math.max(0, ...numbers) }, (_unused, index) => index + 1),
  )
  expect(text).not.toMatch(/[{}]/)
})

test('the name of a table is put in as it is given', () => {
  expect(statement('running-jobs', { table: 'queue.job' }).text).toContain('from queue.job as job')
})

test('values go by the names of parameters, in the order of their numbers', () => {
  const append = statement('append')
  const values = Object.fromEntries(append.parameters.map((name) => [name, `the ${name}`]))
  expect(requestOf(append, { ...values, another: 1 }).values).toEqual(append.parameters.map((name) => `the ${name}`))
})
