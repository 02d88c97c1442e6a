import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { dataFolder } from './support/data-folder.ts'
import { answer, counting, experimentFile, withModule } from './support/experiment.ts'
import { runProcess, spawnCommand } from './support/process.ts'
import { runCommand } from './support/terminal.ts'
import { within } from '../../../tests/support/patience.ts'

test('an experiment is run without a server, looked at, given again, compared, forked and exported', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer })
  const file = experimentFile(data.path, withModule)
  const environment = { MINUTEBOOK_UPSTREAMS: upstream.url }
  const ran = await runProcess(['run', file, '--name', 'one', '--seed', '4'], data.path, environment)
  const fixed = 'Fixed model seeds, which --seed does not change: ann (7)'
  expect({ code: ran.code, errors: ran.errors }).toEqual({ code: 0, errors: `${fixed}\n` })
  await expect(ran.output).toMatchFileSnapshot('golden/run.txt')

  expect(await runCommand(['run', file, '--name', 'one'], data.path, { environment })).toMatchObject({
    code: 2,
    errors: expect.stringContaining('There is a run "one" already') as string,
  })

  const chats = (): number => upstream.requests.filter(({ path }) => path === '/api/chat').length
  const asked = chats()
  const again = await runProcess(['run', file, '--name', 'two', '--answers', 'one', '--json'], data.path, environment)
  const events = again.output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  // It may be over before anybody looks: then all that is told is its board.
  expect([again.code, events[0]?.['event'], events.at(-1)?.['status'], chats()]).toEqual([0, 'board', 'success', asked])
  const compared = await runCommand(['compare', 'one', 'two'], data.path)
  expect(compared).toMatchObject({
    code: 0,
    output: expect.stringContaining('✓ one and two are the same in all 3 rounds') as string,
  })

  const forked = await runProcess(
    [
      'runs',
      'fork',
      'one',
      '--round',
      '3',
      '--as',
      'three',
      '--set',
      'goals.success.three=null',
      '--set',
      'goals.success.four=total >= 4',
    ],
    data.path,
    environment,
  )
  expect({ code: forked.code, output: forked.output }).toEqual({
    code: 0,
    output: expect.stringContaining('✓ success four was reached after round 4.') as string,
  })
  expect((await runCommand(['compare', 'one', 'three'], data.path)).output).toContain(
    '≠ one and three differ from round 4 on\n',
  )
  const listed = await runCommand(['runs'], data.path)
  expect(listed.output.split('\n').map((line) => line.split('  ')[0])).toEqual(['run', 'three', 'two', 'one', ''])
  await expect((await runCommand(['runs', 'show', 'one'], data.path)).output).toMatchFileSnapshot('golden/run-show.txt')

  const table = join(data.path, 'one.csv')
  expect(await runCommand(['export', '--run', 'one', '--format', 'csv', '-o', table], data.path)).toMatchObject({
    code: 0,
    errors: expect.stringContaining('7 lines of one') as string,
  })
  expect(readFileSync(table, 'utf8').split('\n')[2]).toMatch(
    /^one,4,1,,bob,strict,0,complete,1,\d+,\d+,\d+,,,1,hidden!,"Go on, ann\."$/,
  )
  const lines = (await runCommand(['export', '--run', 'one'], data.path)).output.trim().split('\n')
  expect(JSON.parse(lines[0]!)).toMatchObject({ run: 'one', type: 'begun', seed: 4 })
  expect(JSON.parse((await runCommand(['runs', 'manifest', 'one'], data.path)).output)).toMatchObject({
    participants: [{ name: 'ann', settings: [{ options: { seed: 7 }, seeds: [7] }] }, { name: 'bob' }],
  })
  const calls = upstream.requests
    .filter(({ path }) => path === '/api/chat')
    .map(({ json, tools }) => [tools.length > 0 ? 'ann' : 'bob', seedIn(json)] as const)
  const bobs = calls.flatMap(([who, seed]) => (who === 'bob' ? [seed] : []))
  expect(new Set(calls.flatMap(([who, seed]) => (who === 'ann' ? [seed] : [])))).toEqual(new Set([7]))
  expect(JSON.parse((await runCommand(['runs', 'manifest', 'three'], data.path)).output)).toMatchObject({
    participants: [{ name: 'ann' }, { name: 'bob', settings: [{ seeds: [...new Set(bobs)] }] }],
  })
})

/** What an Ollama server is asked to draw with. */
function seedIn(json: unknown): number | undefined {
  return (json as { readonly options?: { readonly seed?: number } }).options?.seed
}

test('a comparison shows the changed fields, and tool calls whose arguments differ though the words are the same', async () => {
  using data = dataFolder()
  const words = `They work well together, ${'and so on, '.repeat(30)}`
  await using upstream = await strictUpstream({
    answer: ({ messages, json }) => {
      const { options } = json as { readonly options: { readonly temperature: number } }
      if (messages.at(-1)?.role === 'tool') return `${words}${options.temperature > 1 ? 'I wonder.' : 'I am sure.'}`
      return { calls: [{ name: 'rate', arguments: { points: options.temperature > 0 ? 9 : 7 } }] }
    },
  })
  const environment = { MINUTEBOOK_UPSTREAMS: upstream.url }
  const file = experimentFile(
    data.path,
    `name: judged\nenvironment: { points: 0 }\nparticipants: { judge: { model: { name: strict, options: { temperature: 0 } }, tools: [rate] } }\ntools: { rate: { description: Gives points., parameters: { points: integer }, changes: { points: points + input.points } } }\nlimits: { rounds: 2 }\n`,
  )
  expect(await runProcess(['run', file, '--name', 'cold'], data.path, environment)).toMatchObject({ code: 0 })
  for (const [name, temperature] of [
    ['warm', '0.7'],
    ['hot', '1.5'],
  ] as const)
    expect(
      await runProcess(
        [
          'runs',
          'fork',
          'cold',
          '--round',
          '2',
          '--as',
          name,
          '--set',
          `participants.judge.model.options.temperature=${temperature}`,
        ],
        data.path,
        environment,
      ),
    ).toMatchObject({ code: 0 })
  const { output } = await runCommand(['compare', 'cold', 'warm'], data.path)
  expect(output.replaceAll(/ +$/gm, '')).toBe(`≠ cold and warm differ from round 2 on
               cold                                           warm
  model        strict                                         strict
  seed         1                                              1
  rounds       2                                              2
  status       – limit                                        – limit
  result       2 rounds were played, as many as are allowed.  2 rounds were played, as many as are allowed.
  sent         246                                            246
  answered     198                                            198
  calls        4                                              4
  forked from  –                                              cold
  at round     –                                              2
  points       14                                             16  ▲2
definition
  participants.judge.model.options.temperature: 0 ≠ 0.7
round 1  same
round 2
  points: 14 ≠ 16
  judge: different prompt, different tool calls, same answer
    < rate(points: 7)
    > rate(points: 9)
`)
  // However far behind the texts differ, that is what is shown of them.
  const shown = await runCommand(['compare', 'warm', 'hot'], data.path, { tty: true })
  const long = shown.output.split('\n')
  expect(long.find((line) => line.startsWith('    < …'))).toContain('I am sure.')
  expect(long.find((line) => line.startsWith('    > …'))).toContain('I wonder.')
})

test('what the model did not get to see is told of each turn, and at the end', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer: 'I do nothing.', window: 600 })
  const weather = Array.from({ length: 500 }, (_, index) => `cloud${index}`).join(' ')
  const file = experimentFile(
    data.path,
    `name: clipped\nenvironment: { weather: "${weather}" }\nparticipants: { ann: { model: { name: strict, window: 4096 } } }\nlimits: { rounds: 1 }\n`,
  )
  const ran = await runProcess(['run', file, '--name', 'one'], data.path, { MINUTEBOOK_UPSTREAMS: upstream.url })
  expect(ran).toMatchObject({ code: 0, errors: '' })
  expect(ran.output).toContain('round 1  ann [question clipped, window of 600 tokens, not 4,096]: I do nothing.')
  const summary =
    '! the question was not sent whole in 1 of 1 turns\n! ann has a window of 600 tokens, not 4,096 (source: /api/ps)\n'
  expect(ran.output).toContain(summary)
  expect((await runCommand(['runs', 'show', 'one'], data.path)).output).toContain(summary)
})

test('Ctrl-C pauses a run and says how to go on; it goes on where it was', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer, delay: within(60) })
  const file = experimentFile(data.path, withModule)
  const environment = { MINUTEBOOK_UPSTREAMS: upstream.url }
  const running = spawnCommand(['run', file, '--name', 'one'], data.path, environment)
  await running.shows('round 1  ann')
  running.child.kill('SIGINT')
  expect(await running.ended).toBe(1)
  expect(running.errors()).toContain('Resume with: minutebook runs resume one')
  expect((await runCommand(['runs', '--json'], data.path)).output).toContain('"status":"paused"')
  const resumed = await runProcess(['runs', 'resume', 'one'], data.path, environment)
  expect({ code: resumed.code, end: resumed.output.trim().split('\n').at(-1) }).toEqual({
    code: 0,
    end: expect.stringContaining('✓ success three was reached after round 3. 9 calls') as string,
  })
})

test('a run whose process was killed goes on where it was', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer, delay: within(100) })
  const file = experimentFile(data.path, withModule)
  const environment = { MINUTEBOOK_UPSTREAMS: upstream.url }
  const running = spawnCommand(['run', file, '--name', 'one'], data.path, environment)
  await running.shows('round 2  ann')
  running.child.kill('SIGKILL')
  await running.ended
  expect(JSON.parse((await runCommand(['runs', '--json'], data.path)).output)).toMatchObject({
    runs: [{ status: 'running', round: 2 }],
  })
  const resumed = await runProcess(['runs', 'resume', 'one'], data.path, environment)
  expect({ code: resumed.code, end: resumed.output.trim().split('\n').at(-1) }).toEqual({
    code: 0,
    end: expect.stringContaining('✓ success three was reached after round 3.') as string,
  })
})

test('runs that nobody serves can be paused and stopped', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer, delay: within(40) })
  const file = experimentFile(data.path, withModule)
  const running = spawnCommand(['run', file, '--name', 'one'], data.path, { MINUTEBOOK_UPSTREAMS: upstream.url })
  await running.shows('round 1  ann')
  running.child.kill('SIGKILL')
  await running.ended
  expect(await runCommand(['runs', 'pause', 'one'], data.path)).toMatchObject({ code: 0, output: 'one ‖ paused\n' })
  expect(await runCommand(['runs', 'pause', 'one'], data.path)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('This run is paused') as string,
  })
  expect(await runCommand(['runs', 'stop', 'one'], data.path)).toMatchObject({ code: 0, output: 'one ■ stopped\n' })
  expect(await runCommand(['runs', 'show', 'none'], data.path)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('There is no run "none"') as string,
  })
})

test('where a server runs, the experiment goes there; tools that only this machine has are refused with what to do', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer, delay: within(60) })
  const serving = spawnCommand(['serve', '--port', '0', '--json', '--upstream', upstream.url], data.path)
  const { url } = JSON.parse(await serving.shows('\n')) as { url: string }
  const refused = await runCommand(['run', experimentFile(data.path, withModule)], data.path)
  expect(refused.code).toBe(2)
  expect(refused.errors).toContain('The tool "add" is a module.')
  expect(refused.errors).toContain(`stop the server at ${url}, or pass another folder with --data`)
  const running = spawnCommand(['run', experimentFile(data.path, counting), '--name', 'one'], data.path)
  await running.shows('round 1  ann')
  expect(await runCommand(['runs', 'pause', 'one'], data.path)).toMatchObject({ code: 0, output: 'one ‖ paused\n' })
  expect(await running.ended).toBe(1)
  expect(running.errors()).toContain('Resume with: minutebook runs resume one')
  expect(await runCommand(['runs', 'resume', 'one'], data.path)).toMatchObject({
    code: 0,
    output: expect.stringContaining('one ▶ running  watch it with: minutebook runs watch one') as string,
  })
  expect(await runCommand(['runs', 'watch', 'one'], data.path)).toMatchObject({
    code: 0,
    output: expect.stringContaining('✓ success three was reached') as string,
  })
  expect(await runCommand(['runs', 'fork', 'one', '--round', '2', '--as', 'two'], data.path)).toMatchObject({
    code: 0,
    output: expect.stringContaining('two ▶ running') as string,
  })
  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(0)
})

test('a wrong file is told with lines, fields and fixes, and nothing is begun', async () => {
  using data = dataFolder()
  const file = experimentFile(data.path, wrong)
  for (const args of [
    ['run', file, '--check'],
    ['run', file],
  ]) {
    const { code, output, errors } = await runCommand(args, data.path)
    expect([code, output]).toEqual([2, ''])
    await expect(errors.replaceAll(file, 'counting.yaml')).toMatchFileSnapshot('golden/run-wrong.txt')
  }
  const { output } = await runCommand(['run', file, '--check', '--json'], data.path)
  expect(JSON.parse(output)).toMatchObject({
    error: {
      code: 'invalid_experiment',
      problems: expect.arrayContaining([
        expect.objectContaining({ line: 4, field: 'participants.ann.modle' }),
      ]) as unknown,
    },
  })
  expect(await runCommand(['run', join(data.path, 'none.yaml')], data.path)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('cannot be read (ENOENT)') as string,
  })
  expect(await runCommand(['run', experimentFile(data.path), '--check'], data.path)).toMatchObject({
    code: 0,
    output:
      '✓ counting can be run: 2 participants, 1 tool\n  Fixed model seeds, which --seed does not change: ann (7)\n',
  })
  expect(
    await runCommand(
      ['run', experimentFile(data.path), '--check', '--set', 'participants.ann.tools=["sub"]'],
      data.path,
    ),
  ).toMatchObject({
    code: 2,
    errors: expect.stringContaining('participants.ann.tools[0]: there is no tool "sub"') as string,
  })
})

const wrong = `name: counting
environment: { total: 0, mood: calm }
participants:
  ann: { modle: strict, sees: [totl], tools: [add] }
  bob: { model: strict, tells: [ann, eve] }
tools:
  add: { parameters: { count: integr }, changes: { total: total + input.count, mod: "1" } }
goals: { success: { three: total >= } }
limits: { round: 5 }
`

test('on a terminal a run is a block that is drawn again in place', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer, delay: within(60) })
  const { code, output } = await runCommand(['run', experimentFile(data.path), '--name', 'one'], data.path, {
    tty: true,
    environment: { MINUTEBOOK_UPSTREAMS: upstream.url, NO_COLOR: '1' },
  })
  expect(code).toBe(0)
  // oxlint-disable-next-line no-control-regex
  const frames = output.split(/\u001b\[\d+A/).map((frame) => frame.replace(/\u001b\[[KJ]/g, ''))
  expect(frames.length).toBeGreaterThan(5)
  expect(
    frames.some((frame) => frame.includes(' ▶ ann  strict  thinks…') && frame.includes(' · bob  strict  waits')),
  ).toBe(true)
  await expect(frames.at(-1)).toMatchFileSnapshot('golden/run-block.txt')
})
