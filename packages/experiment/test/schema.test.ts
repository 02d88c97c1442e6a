import { readFileSync } from 'node:fs'
import { experimentSchema } from '@minutebook/experiment'
import { expect, test } from 'vitest'

test('schema.json is the schema; if not: npm run write -w packages/experiment', () => {
  expect(JSON.parse(readFileSync(new URL('../schema.json', import.meta.url), 'utf8'))).toEqual(experimentSchema())
})

test('the schema tells editors every field, with what it means', () => {
  const { properties, required, additionalProperties } = experimentSchema() as {
    properties: Record<string, object>
    required: string[]
    additionalProperties: boolean
  }
  expect(Object.keys(properties)).toEqual([
    'name',
    'description',
    'seed',
    'environment',
    'participants',
    'rounds',
    'tools',
    'hooks',
    'goals',
    'limits',
    'prices',
  ])
  expect([required, additionalProperties]).toEqual([['name', 'participants'], false])
  expect(properties['participants']).toMatchObject({
    description: 'Who takes part, in the order of play.',
    additionalProperties: { properties: { hears: { enum: ['all', 'addressed'] } } },
  })
})
