import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { dataFolder } from './support/data-folder.ts'
import { answer, counting, experimentFile, withModule } from './support/experiment.ts'
import { runProcess, spawnCommand } from './support/process.ts'
import { runCommand } from './support/terminal.ts'
import { within } from '../../../tests/support/patience.ts'

test('a run that was left is said to be run by nobody, waits while another is run, and goes on when it is resumed', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer, delay: within(40) })
  const file = experimentFile(data.path)
  const running = spawnCommand(['run', file, '--name', 'k1', '--upstream', upstream.url], data.path)
  await running.shows('round 1  ann')
  running.child.kill('SIGKILL')
  await running.ended
  const nobody = 'No process is running k1. Continue it with: minutebook runs resume k1\n'
  expect((await runCommand(['runs'], data.path)).output).toContain(nobody)
  expect(await runCommand(['runs', 'watch', 'k1'], data.path)).toMatchObject({
    code: 1,
    errors: expect.stringContaining(nobody) as string,
  })
  const left = await runCommand(['export', '--run', 'k1'], data.path)

  expect(await runProcess(['run', file, '--name', 'k1', '--upstream', upstream.url], data.path)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('That run is running. Continue it with: minutebook runs resume k1') as string,
  })
  expect(await runProcess(['run', file, '--name', 'k2', '--upstream', upstream.url], data.path)).toMatchObject({
    code: 0,
  })
  expect(await runProcess(['chat', '--model', 'strict', '--upstream', upstream.url, 'Hello'], data.path)).toMatchObject(
    { code: 0 },
  )
  expect((await runCommand(['export', '--run', 'k1'], data.path)).output).toBe(left.output)

  expect(await runProcess(['runs', 'resume', 'k1', '--upstream', upstream.url], data.path)).toMatchObject({
    code: 0,
    output: expect.stringContaining('✓ success three was reached after round 3.') as string,
  })
  expect(await runProcess(['runs', 'resume', 'k1', '--upstream', upstream.url], data.path)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('minutebook runs fork k1 --round K') as string,
  })
  expect(
    await runProcess(['runs', 'fork', 'k1', '--round', '3', '--as', 'k3', '--upstream', upstream.url], data.path),
  ).toMatchObject({ code: 0 })
  const manifest = await runCommand(['runs', 'manifest', 'k1'], data.path, { tty: true })
  expect(manifest.output.split('\n').slice(0, 2)).toEqual(['{', expect.stringMatching(/^ {2}"/)])
})

test('where a server runs, --upstream is refused with what to do', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer })
  const serving = spawnCommand(['serve', '--port', '0', '--json', '--upstream', upstream.url], data.path)
  await serving.shows('\n')
  for (const args of [
    ['run', experimentFile(data.path), '--name', 'one'],
    ['runs', 'resume', 'one'],
    ['runs', 'retry', 'one'],
    ['runs', 'fork', 'one', '--round', '1'],
  ]) {
    const { code, errors } = await runCommand([...args, '--upstream', upstream.url], data.path)
    expect([code, errors]).toEqual([
      args[0] === 'run' ? 2 : 1, // 2: no run began
      expect.stringContaining('has its own upstreams. Stop it, or leave --upstream out.'),
    ])
  }
  serving.child.kill('SIGTERM')
  await serving.ended
})

test('a check names policies that there are not, and modules that cannot be loaded', async () => {
  using data = dataFolder()
  const check = (text: string): ReturnType<typeof runCommand> =>
    runCommand(['run', experimentFile(data.path, text), '--check'], data.path)
  const policy = counting.replace('bob: { model', 'bob: { policy: nope, model')
  expect(await check(policy)).toMatchObject({
    code: 2,
    errors: expect.stringContaining(
      'participants.bob.policy: there is no policy "nope"; name one of these: ',
    ) as string,
  })
  expect(await check(policy.replace('nope', 'tiered'))).toMatchObject({ code: 0 })
  expect(await check(withModule)).toMatchObject({ code: 0 })
  expect(await check(withModule.replace('./tools.ts', './none.ts'))).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/tools\.add\.module.*there is no \.\/none\.ts next to the experiment/) as string,
  })
  expect(await check(withModule.replace('#add', '#sub'))).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/tools\.add\.module.*exports no function or tool "sub"/) as string,
  })
})
