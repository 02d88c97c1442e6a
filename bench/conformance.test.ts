import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkConformance, conformanceReport, invariants } from '@minutebook/conformance'
import { contestants } from './conformance/contestants.ts'
import { anchor, brokenPromises, pageWith, type ConformanceData } from './conformance/page.ts'
import type { WireMessage } from './wire-message.ts'

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8')
const page = read('../docs/comparison.md')
const data = JSON.parse(read('./results/conformance.json')) as ConformanceData

describe('docs/comparison.md', () => {
  test('shows what the command wrote', () => expect(pageWith(page, data)).toBe(page))

  test('a figure that the command did not write is found', () => {
    const [first, ...others] = data.contestants
    const results = first!.results.map((result, index) => (index === 3 ? { ...result, held: !result.held } : result))
    expect(pageWith(page, { ...data, contestants: [{ ...first!, results }, ...others] })).not.toBe(page)
  })

  test('has every invariant that there is, as it is, and says how many', () => {
    for (const { results } of data.contestants)
      expect(results.map(({ id, says, reason }) => ({ id, says, reason }))).toEqual(
        invariants.map(({ id, says, reason }) => ({ id, says, reason })),
      )
    expect(page).toContain(`${invariants.length} invariants of context management`)
    expect(read('../docs/conformance.md')).toContain(`For each of ${invariants.length} invariants`)
  })

  test('leads from each failure to its input', () => {
    const headings = new Set([...page.matchAll(/^#{2,3} (.+)$/gm)].map(([, title = '']) => anchor(title)))
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, target = '']) => target)
    expect(links.length).toBeGreaterThan(30)
    expect(links.filter((target) => !headings.has(target))).toEqual([])
  })

  test('compares at least five that are not ours, and ours keep all that they promise', () => {
    expect(data.contestants.filter(({ ours }) => !ours).length).toBeGreaterThanOrEqual(5)
    expect(brokenPromises(data)).toEqual([])
    const spoilt = data.contestants.map((each) => ({
      ...each,
      results: each.results.map((result) => ({ ...result, held: false })),
    }))
    expect(brokenPromises({ ...data, contestants: spoilt })).not.toEqual([])
  })
})

// The packages of Mastra and LlamaIndex are installed only by the command.
const present = await contestants({ withPeers: false })

describe.each(present)('$name', ({ name, version, call, unclaimed, fit, counter }) => {
  const recorded = data.contestants.find((each) => each.name === name)

  test('is called as the page says', () => {
    expect(recorded).toMatchObject({ version, call, unclaimed })
    const ids = new Set(invariants.map(({ id }) => id))
    expect(Object.keys(unclaimed).filter((id) => !ids.has(id))).toEqual([])
  })

  test('still makes the prompts that failed', async () => {
    const failures = recorded!.results.flatMap(({ failure }) => failure ?? [])
    for (const { messages, window, prompt, problem } of failures) {
      const given = structuredClone(messages) as WireMessage[]
      const again = Promise.resolve().then(() =>
        fit(given, window, (list) => list.reduce((sum, each) => sum + tokensOf(each), 0)),
      )
      if (prompt) expect(await again, problem).toEqual(prompt)
      else await expect(again, problem).rejects.toThrow()
    }
  })

  test('keeps in a few conversations what it kept in many', async () => {
    const held = recorded!.results.flatMap(({ id, held: isHeld }) => (isHeld ? [id] : []))
    const results = await checkConformance(fit, { counter, runs: 5, only: held })
    expect(results.map((result) => (result.held ? '' : conformanceReport([result]))).join('')).toBe('')
  })
})

/** One token for each word, message and call. */
function tokensOf({ content, tool_calls: calls = [] }: WireMessage): number {
  const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
  return calls.reduce(
    (sum, call) => sum + 1 + words(call.function.name) + words(call.function.arguments),
    1 + words(content ?? ''),
  )
}

describe('docs/conformance.md', () => {
  const guide = read('../docs/conformance.md')

  test('shows the test that runs', () => {
    expect(guide).toContain(`\`\`\`typescript\n${read('../examples/conformance/trim.test.ts')}\`\`\``)
  })

  test('shows the report that its other block prints', async () => {
    const results = await checkConformance(
      (messages, window, count) => {
        let rest = messages
        while (rest.length > 1 && count(rest) > window) rest = rest.slice(1)
        return rest
      },
      { only: ['tool-pairs'] },
    )
    expect(guide).toContain(`\`\`\`\n${conformanceReport(results)}\n\`\`\``)
  })
})
