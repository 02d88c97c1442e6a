import { readConfig, serve } from '@minutebook/server'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { run } from '../src/program.ts'
import { within } from '../../../tests/support/patience.ts'
import { dataFolder } from './support/data-folder.ts'
import { experimentFile } from './support/experiment.ts'
import { runCommand, testTerminal } from './support/terminal.ts'

const judged = `name: judged
participants:
  ann: { model: strict }
  judge: { person: true, hears: all }
rounds: [{ ask: Well? }]
limits: { rounds: 1 }
`

test('without a terminal, a run says what a person is asked; a server goes on with the answer', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer: 'Ferns.' })
  const environment = { MINUTEBOOK_UPSTREAMS: upstream.url }
  const file = experimentFile(data.path, judged)
  expect((await runCommand(['run', file, '--check'], data.path, { environment })).output).toContain('2 participants')
  const ran = await runCommand(['run', file, '--name', 'one'], data.path, { environment })
  expect(ran.code).toBe(1)
  expect(ran.output).toMatch(/^round 1 {2}ann: Ferns\.$[^]*^\? waiting for judge/m)
  const [, call] = /minutebook decide ([0-9a-f]{8}\.0) --thread \S+ --answer TEXT/.exec(ran.errors) ?? []
  expect(ran.errors.replace(call!, 'CALL')).toBe(
    `judge was asked:
  Round 1

  ann: Ferns.

  Well?
Answer with: minutebook decide CALL --thread run/one/judge --answer TEXT
That needs a server: minutebook serve. Or answer at a terminal: minutebook runs resume one
`,
  )
  expect((await runCommand(['runs'], data.path)).output).toMatch(/one +waiting .* judged: waits for judge/)
  expect(await runCommand(['runs', 'watch', 'one'], data.path)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('minutebook runs resume one') as string,
  })

  await using _ = await serve(
    readConfig({ flags: { data: data.path, port: 0, upstreams: [{ url: upstream.url }] }, environment: {} }),
    { log: 'silent' },
  )
  expect((await runCommand(['waiting'], data.path)).output).toContain(call)
  expect(await runCommand(['runs', 'resume', 'one'], data.path)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('minutebook waiting') as string,
  })
  expect(await runCommand(['decide', call!, '--answer', 'Good.', '--by', 'carla'], data.path)).toMatchObject({
    code: 0,
    output: expect.stringContaining('Good.') as string,
  })
  const watched = await runCommand(['runs', 'watch', 'one'], data.path)
  expect(watched).toMatchObject({ code: 0, output: expect.stringContaining('– limit') as string })
  const shown = (await runCommand(['runs', 'show', 'one'], data.path)).output
  expect(shown).toContain('  judge: Good.')
  expect(shown).toMatch(/What a model saw:\n {2}minutebook dump run\/one\/ann\n$/)
})

test('at a terminal, the person is asked there; one who leaves is told how to answer later', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer: 'Ferns.' })
  const file = experimentFile(data.path, judged)
  const environment = { MINUTEBOOK_DATA: data.path, MINUTEBOOK_UPSTREAMS: upstream.url, NO_COLOR: '1' }
  const typed = async (
    args: readonly string[],
    keys: string,
  ): Promise<{ code: number; output: string; errors: string }> => {
    const { terminal, input, output, errors } = testTerminal({ tty: true, environment })
    const ended = run(args, terminal)
    await expect.poll(output, { timeout: within(20_000) }).toContain('You answer for judge')
    input.write(keys)
    return { code: await ended, output: output(), errors: errors() }
  }
  const left = await typed(['run', file, '--name', 'one'], '\u0003')
  expect(left).toMatchObject({ code: 1, errors: expect.stringContaining('minutebook runs resume one') as string })
  const answered = await typed(['runs', 'resume', 'one'], 'Good.\r')
  expect(answered).toMatchObject({ code: 0, errors: '' })
  expect(answered.output).toMatch(/Round 1\n\nann: Ferns\.\n\nWell\?\n/)
  expect((await runCommand(['runs', 'show', 'one'], data.path)).output).toContain('  judge: Good.')
})
