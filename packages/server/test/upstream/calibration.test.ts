import { estimator, memoryStore, type Store, type UsageSample } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { createCalibrations, type CalibrationPlace, type Calibrations } from '../../src/upstream/counter.ts'

const place: CalibrationPlace = { tenant: 'default', owner: '', model: 'm' }
const inMemory = (): (() => Store) => {
  const store = memoryStore()
  return () => store
}
const honest: UsageSample = { predicted: 1000, reported: 900 }

async function taught(calibrations: Calibrations, samples: readonly UsageSample[], model = 'm'): Promise<string[]> {
  const names: string[] = []
  for (const sample of samples) {
    await calibrations.learn({ ...place, model }, sample)
    names.push((await calibrations.counter({ ...place, model })).name)
  }
  return names
}

function repeated(sample: UsageSample, times: number): UsageSample[] {
  return Array.from({ length: times }, () => sample)
}

describe('the counter of a model', () => {
  test('is the estimator until twenty calls are known, then one that knows its margin', async () => {
    const calibrations = createCalibrations({}, inMemory())
    expect(await calibrations.counter(place)).toBe(estimator)
    const names = await taught(calibrations, repeated(honest, 20))
    expect(new Set(names.slice(0, 19))).toEqual(new Set([estimator.name]))
    const counter = await calibrations.counter(place)
    expect(counter.name).toMatch(/×0\.9\d \(20\)$/)
    expect(counter.margin).toBeDefined()
  })

  test('changes seldom: at twenty calls and at twice as many each time', async () => {
    const names = await taught(createCalibrations({}, inMemory()), repeated(honest, 200))
    const changes = names.flatMap((name, index) => (name === (names[index - 1] ?? estimator.name) ? [] : [index + 1]))
    expect(changes).toEqual([20, 40])
  })

  test('is raised at once where a prompt was larger than was thought', async () => {
    const calibrations = createCalibrations({}, inMemory())
    await calibrations.learn(place, { predicted: 1000, reported: 1300 })
    expect((await calibrations.counter(place)).count('x'.repeat(4000))).toBeGreaterThan(
      1.3 * estimator.count('x'.repeat(4000)),
    )
  })

  test('that counts as the model does stays as it is, until a report contradicts it', async () => {
    const calibrations = createCalibrations({ m: { counter: 'o200k' } }, inMemory())
    const names = await taught(calibrations, [
      ...repeated({ predicted: 100, reported: 140 }, 30),
      ...repeated({ predicted: 1000, reported: 1020 }, 30),
    ])
    expect(new Set(names)).toEqual(new Set(['o200k_base']))
    expect((await taught(calibrations, [{ predicted: 1000, reported: 1400 }])).at(-1)).toMatch(/^o200k_base×1\.4/)
  })

  test('knows nothing of other models', async () => {
    const calibrations = createCalibrations({}, inMemory())
    await taught(calibrations, repeated(honest, 20))
    expect(await calibrations.counter({ ...place, model: 'other' })).toBe(estimator)
  })

  test('is known again after a restart', async () => {
    const store = memoryStore()
    await taught(
      createCalibrations({}, () => store),
      repeated(honest, 20),
    )
    expect((await createCalibrations({}, () => store).counter(place)).name).toMatch(/\(20\)$/)
  })

  test('is kept for so many models of each key, those that were kept last', async () => {
    const store = memoryStore()
    const first = createCalibrations({}, () => store)
    const learn = async (more: Partial<CalibrationPlace>): Promise<void> => {
      for (const sample of repeated(honest, 20)) await first.learn({ ...place, ...more }, sample)
    }
    await learn({ owner: 'other' })
    for (let number = 0; number < 70; number++) await learn({ model: `m${number}` })
    const next = createCalibrations({}, () => store)
    const isKnown = async (more: Partial<CalibrationPlace>): Promise<boolean> =>
      (await next.counter({ ...place, ...more })) !== estimator
    expect(await Promise.all(['m0', 'm5', 'm6', 'm69'].map((model) => isKnown({ model })))).toEqual([
      false,
      false,
      true,
      true,
    ])
    expect(await isKnown({ owner: 'other' })).toBe(true)
  })

  test.each<[string, Pick<Store, 'records'>]>([
    [
      'cannot be read',
      {
        records: {
          ...memoryStore().records,
          find: () => Promise.reject(new Error('away')),
          put: () => Promise.reject(new Error('away')),
        },
      },
    ],
    [
      'holds something else',
      {
        records: {
          ...memoryStore().records,
          find: async () => [{ thread: null, name: 'usage', key: 'm', value: 'other', version: 1, position: '1' }],
        },
      },
    ],
  ])('is learnt anew where the store %s', async (_, store) => {
    const calibrations = createCalibrations({}, () => store)
    expect(await calibrations.counter(place)).toBe(estimator)
    expect((await taught(calibrations, repeated(honest, 20))).at(-1)).toMatch(/\(20\)$/)
  })

  test('that the settings name wrongly says what to mend, and is asked for again', async () => {
    const calibrations = createCalibrations({ m: { counter: '/nowhere/tokenizer.json' } }, inMemory())
    await expect(calibrations.counter(place)).rejects.toMatchObject({ code: 'no_counter' })
    await expect(calibrations.counter(place)).rejects.toMatchObject({ code: 'no_counter' })
  })
})
