/** Does the recipe for many runs show what its commands print? Played with a scripted model for two that the page names. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strictUpstream, type StrictUpstreamOptions } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { shownIn } from '../../../examples/shown.ts'
import { blocksOf } from '../../../tests/support/blocks.ts'
import { root } from '../../../tests/support/workshop.ts'
import { dataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

const page = 'docs/recipes/many-runs-to-a-table.md'
const pageText = readFileSync(join(root, page), 'utf8')
const [stand] = blocksOf('start', readFileSync(join(root, 'docs/start/experiments.md'), 'utf8')).filter(
  ({ language }) => language === 'yaml',
)
const seeds = [1, 2, 3, 4, 5]

test('the table, its means and the headers of both CSV files are those of the page', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer: vendor, models: ['gemma3:4b', 'gemma3:12b'] })
  const file = join(data.path, 'stand.yaml')
  writeFileSync(file, stand!.text)
  const run = async (name: string, seed: number, ...more: readonly string[]): Promise<number> =>
    (
      await runCommand(['run', file, '--name', name, '--seed', String(seed), ...more], data.path, {
        environment: { MINUTEBOOK_UPSTREAMS: upstream.url },
      })
    ).code
  for (const seed of seeds) {
    expect(await run(`sweep-${seed}`, seed)).toBe(0)
    expect(await run(`large-${seed}`, seed, '--set', 'participants.vendor.model.name=gemma3:12b')).toBe(0)
  }
  expect(await run('sweep-1', 1), 'a name that is taken').toBe(2)
  const names = ['sweep', 'large'].flatMap((model) => seeds.map((seed) => `${model}-${seed}`))
  const { output } = await runCommand(['compare', ...names, '--variables', 'cash,lemons'], data.path)
  expect(shownIn(new URL(`file://${join(root, page)}`), output)).toEqual([])
  const csv = await runCommand(['compare', ...names, '--csv'], data.path)
  const turns = await runCommand(['export', '--run', 'sweep-1', '--format', 'csv'], data.path)
  expect(pageText).toContain(`\n${csv.output.split('\n')[0]}\n\`\`\`\n`)
  const [heads, firstTurn] = turns.output.split('\n')
  expect(pageText).toContain(`\n${heads}\n${firstTurn}\n\`\`\`\n`)
})

/** Buys as many lemons as the seed says, and sells all when the sun shines. The large model buys more of them. */
const vendor: NonNullable<StrictUpstreamOptions['answer']> = ({ messages, json }) => {
  const { model, options } = json as { readonly model: string; readonly options: { readonly seed: number } }
  const view = String(messages.at(-1)?.content)
  if (messages.at(-1)?.role === 'tool') return 'Done for today.'
  const lemons = Number(/lemons: (\d+)/.exec(view)?.[1] ?? 0)
  const count = (model === 'gemma3:12b' ? 5 : 1) + (options.seed % 3)
  const calls = [{ name: 'buy', arguments: { count } }]
  return view.includes('sunny') && lemons > 0
    ? { calls: [{ name: 'sell', arguments: { count: lemons } }, ...calls] }
    : { calls }
}
