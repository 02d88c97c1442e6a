import { describe, expect, test } from 'vitest'
import { messageForOperator, refusalBody, refusalError } from '../../src/http/reply.ts'

const refusal = {
  status: 404,
  code: 'no_such_path',
  problem: 'There is nothing here.',
  fix: 'Ask for /v1/models.',
  param: 'path',
}

describe('a refusal', () => {
  test('has problem and fix as fields of its own', () => {
    expect(JSON.parse(refusalBody(refusal))).toEqual({
      error: { code: 'no_such_path', message: 'There is nothing here.', fix: 'Ask for /v1/models.' },
    })
  })

  test.each([
    ['ollama', { error: 'There is nothing here. Ask for /v1/models.' }],
    [
      'openai',
      {
        error: {
          message: 'There is nothing here. Ask for /v1/models.',
          type: 'not_found_error',
          param: 'path',
          code: 'no_such_path',
        },
      },
    ],
  ] as const)('is one text for clients of %s', (protocol, body) => {
    expect(JSON.parse(refusalBody(refusal, protocol))).toEqual(body)
  })

  test('is an error with the same two', () => {
    const { code, problem, fix, details } = refusalError(refusal, { tenant: 'garden' })
    expect({ code, problem, fix, details }).toEqual({
      code: 'no_such_path',
      problem: 'There is nothing here.',
      fix: 'Ask for /v1/models.',
      details: { tenant: 'garden' },
    })
  })
})

describe('an error of the library, for the operator of a server', () => {
  test.each([
    ['store_forbidden', 'The role of this pool may not do this.', 'use a pool of the role'],
    [
      'store_refused',
      'Postgres refuses the login of this pool.',
      'Correct the user, password or database of the pool.',
    ],
    ['store_outdated', 'The database lacks tables or columns of this version.', 'Run migrate(pool).'],
    ['store_readonly', 'This Postgres server is read-only, for example a standby.', 'Connect the pool to the primary.'],
  ])('%s names no pool and no method', (code, problem, fix) => {
    const told = messageForOperator({ code, problem, fix })
    expect(`${told.message} ${told.fix}`).not.toMatch(/pool|\(\)|\(pool\)/)
    expect(told.fix).toMatch(/^[A-Z].*\.$/)
  })

  test('any other says what it said', () => {
    const turns = { code: 'unknown_call', problem: 'This branch has 3 turns.', fix: 'Pass a number from 1 to 3.' }
    expect(messageForOperator(turns)).toEqual({ message: turns.problem, fix: turns.fix })
    expect(messageForOperator({ code: 'no_model', problem: 'No model.', fix: 'Name one.' })).toEqual({
      message: 'No model.',
      fix: 'Name one.',
    })
  })
})
