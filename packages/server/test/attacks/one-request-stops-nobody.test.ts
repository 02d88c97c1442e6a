// Finding 3: one small request keeps the main thread busy for seconds, and nobody else is answered.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  growthLine,
  growthOf,
  median,
  steepest,
  type Growth,
} from '../../../../tests/endurance/server/complexity/growth.ts'
import {
  measuredServer,
  type MeasuredServer,
  type Sent,
} from '../../../../tests/endurance/server/complexity/measured-server.ts'

let server: MeasuredServer
beforeAll(async () => {
  server = await measuredServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const names = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}_of_the_lemonade_stand`)
const check = (definition: unknown): Sent => ({ path: '/minutebook/v1/experiments/check', body: { definition } })

async function grown(sizes: readonly number[], request: (size: number) => Sent): Promise<Growth> {
  await server.send(request(sizes[0] ?? 1))
  return growthOf(
    sizes,
    (size) => {
      const sent = request(size)
      return server.during(() => server.send(sent))
    },
    3,
  )
}

/** The medians of two things that are measured in turns. */
async function inTurns(one: () => Promise<number>, other: () => Promise<number>): Promise<readonly [number, number]> {
  const looks: readonly [number[], number[]] = [[], []]
  for (let look = 0; look < 3; look++) {
    looks[0].push(await one())
    looks[1].push(await other())
  }
  return [median(looks[0]), median(looks[1])]
}

describe('a definition of an experiment', () => {
  test.each<[string, readonly number[], (size: number) => unknown]>([
    [
      'with n variables, and n names that are nearly theirs',
      [60, 125, 250, 500],
      (size) => ({
        name: 'x',
        environment: Object.fromEntries(names(size, 'v').map((name) => [name, 1])),
        participants: { ann: { model: 'plain', sees: names(size, 'w') } },
      }),
    ],
    [
      'with more of both than it may have',
      [1000, 2000, 4000, 8000],
      (size) => ({
        name: 'x',
        environment: Object.fromEntries(names(size, 'v').map((name) => [name, 1])),
        participants: { ann: { model: 'plain', sees: names(size, 'w') } },
      }),
    ],
    [
      'with n fields that there are not, as YAML',
      [1250, 2500, 5000, 10_000],
      (size) =>
        `name: x\nparticipants: { ann: { model: plain } }\n${Array.from({ length: size }, (_, index) => `f${index}:\n`).join('')}`,
    ],
    [
      'with n fields that there are not in a model, as YAML',
      [500, 1000, 2000, 4000],
      (size) =>
        `name: x\nparticipants:\n  ann:\n    model:\n${Array.from({ length: size }, (_, index) => `      namm${index}: 1\n`).join('')}`,
    ],
    [
      'with n anchors and n aliases, as YAML',
      [250, 500, 1000, 2000],
      (size) =>
        `name: x\nparticipants: { ann: { model: plain } }\nenvironment:\n${Array.from({ length: size }, (_, index) => `  a${index}: &a${index} 1\n  b${index}: *a${index}\n`).join('')}`,
    ],
    [
      'with n expressions that name what there is not',
      [125, 250, 500, 1000],
      (size) => ({
        name: 'x',
        environment: Object.fromEntries(names(500, 'v').map((name) => [name, 1])),
        participants: { ann: { model: 'plain' } },
        tools: {
          one: { require: names(Math.min(size, 500), 'w').map((when) => ({ when, otherwise: 'no' })) },
          two: { require: names(Math.max(0, size - 500), 'w').map((when) => ({ when, otherwise: 'no' })) },
        },
      }),
    ],
    [
      'with n tools that require something of n variables',
      [12, 25, 50, 100],
      (size) => ({
        name: 'x',
        environment: Object.fromEntries(names(5 * size, 'v').map((name) => [name, 1])),
        participants: { ann: { model: 'plain' } },
        tools: Object.fromEntries(
          names(size, 't').map((name) => [
            name,
            { require: Array.from({ length: 9 }, () => ({ when: 'true', otherwise: 'no' })) },
          ]),
        ),
      }),
    ],
  ])('%s takes time in proportion', async (name, sizes, definition) => {
    const growth = await grown(sizes, (size) => check(definition(size)))
    expect(growth.exponent, growthLine(name, growth)).toBeLessThan(steepest)
  })

  test('whose hook has 100 expressions of much work takes no more of a round than one of 10', async () => {
    const much = (count: number): unknown => ({
      name: 'x',
      environment: {
        all: Array.from({ length: 450 }, (_, index) => index),
        ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, 0])),
      },
      participants: { ann: { model: 'plain' } },
      hooks: {
        roundStart: Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`v${index}`, 'size(all.map(x, size(all.filter(y, y < x))))']),
        ),
      },
      limits: { rounds: 2 },
    })
    const play = async (count: number): Promise<number> => {
      const run = `much-${count}-${Math.random().toString(36).slice(2)}`
      return server.during(async () => {
        expect(
          (await server.send({ path: '/minutebook/v1/runs', body: { definition: much(count), run } })).status,
        ).toBe(201)
        await expect
          .poll(
            async () =>
              (
                JSON.parse((await server.send({ method: 'GET', path: `/minutebook/v1/runs/${run}` })).text) as {
                  status: string
                }
              ).status,
          )
          .toBe('error')
      })
    }
    const [few, many] = await inTurns(
      () => play(10),
      () => play(100),
    )
    expect(many, `${few} ms with 10 expressions`).toBeLessThan(Math.max(3 * few, 150))
  })
})

describe('a chat', () => {
  test('with what 32 threads end with, 33 times, takes hardly longer than one without', async () => {
    const model = 'plain'
    for (let thread = 0; thread < 32; thread++) {
      const messages = [
        { role: 'user', content: `Begin ${thread}.` },
        { role: 'assistant', content: 'Well.' },
        { role: 'user', content: 'pair' },
      ]
      expect((await server.send({ path: '/api/chat', body: { model, messages, stream: false } })).status).toBe(200)
    }
    const ask = (question: string): Promise<number> => {
      const pairs = Array.from({ length: 33 }, () => [
        { role: 'user', content: question },
        { role: 'assistant', content: 'ok' },
      ]).flat()
      const body = JSON.stringify({
        model,
        stream: false,
        messages: [
          { role: 'user', content: `${Math.random()} ${'lemon '.repeat(120_000)}` },
          ...pairs,
          { role: 'user', content: 'Go on.' },
        ],
      })
      return server.during(() => server.send({ path: '/api/chat', body }))
    }
    await ask('other')
    const [without, having] = await inTurns(
      () => ask('other'),
      () => ask('pair'),
    )
    expect(having, `${without} ms without`).toBeLessThan(2.5 * without)
  })

  test('with n system messages on a thread with n that were erased takes time in proportion', async () => {
    const systems = (count: number, word: string): unknown[] => [
      ...Array.from({ length: count }, (_, index) => ({ role: 'system', content: `${word} ${index}` })),
      { role: 'user', content: 'Hello.' },
    ]
    let thread = 0
    const growth = await growthOf(
      [125, 250, 500, 1000],
      async (size) => {
        const headers = { 'minutebook-thread': `erased-${thread++}` }
        const say = (word: string): Promise<{ status: number }> =>
          server.send({
            path: '/api/chat',
            headers,
            body: { model: 'plain', stream: false, messages: systems(size, word) },
          })
        expect((await say('one')).status).toBe(200)
        expect(
          (await server.send({ path: `/minutebook/v1/threads/${headers['minutebook-thread']}/erase`, body: {} }))
            .status,
        ).toBe(200)
        return server.during(() => say('two'))
      },
      3,
    )
    expect(growth.exponent, growthLine('systems', growth)).toBeLessThan(steepest)
  })
})

describe('a look at a long thread', () => {
  const thread = 'long'
  beforeAll(async () => {
    const messages: object[] = []
    for (let turn = 0; turn < 150; turn++) {
      messages.push({ role: 'user', content: `Question ${turn} about lemons.` })
      await server.send({
        path: '/api/chat',
        headers: { 'minutebook-thread': thread },
        body: { model: 'plain', stream: false, messages },
      })
      messages.push({ role: 'assistant', content: 'ok' })
    }
  })

  test.each([
    ['GET', '/verify', undefined],
    ['POST', '/replay', { policy: 'tiered' }],
  ] as const)('%s %s, whose prompts are all made again, lets others be answered', async (method, path, body) => {
    const answeredMeanwhile = async (): Promise<number> => {
      let isOver = false
      const looking = server
        .send({ method, path: `/minutebook/v1/threads/${thread}${path}`, body })
        .finally(() => (isOver = true))
      let others = 0
      while (!isOver) {
        expect((await server.send({ method: 'GET', path: '/livez' })).status).toBe(200)
        others++
      }
      const { status, text } = await looking
      expect([status, text.length > 50]).toEqual([200, true])
      return others
    }
    // A server that does not yield answers one or two, however often it is asked. On a busy machine, this process may
    // ask too rarely.
    let most = 0
    for (let attempt = 0; attempt < 10 && most <= 2; attempt++) most = Math.max(most, await answeredMeanwhile())
    expect(most).toBeGreaterThan(2)
  })
})
