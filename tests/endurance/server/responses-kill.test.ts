import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import OpenAI from 'openai'
import { expect, onTestFinished, test } from 'vitest'
import { strictUpstream } from '@minutebook/testing/server'
import { startChild, type Child } from '../../support/process/child.ts'
import { gatewayCommand } from './kill/command.ts'
import { judge } from './kill/judgement.ts'
import { answerTo, type Asked } from './kill/talker.ts'
import { within } from '../../support/patience.ts'
import { freePort } from '../../support/postgres/cluster-port.ts'

const kills = Math.ceil(Number(process.env['KILLS'] ?? 6) / 2)

/** A response as its client saw it. */
interface Seen extends Asked {
  readonly id: string | undefined
}

test(`${kills} times kill -9 in mid-stream: a response that was completed is on record, and every conversation goes on by previous_response_id`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-responses-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  await using upstream = await strictUpstream({
    delay: 2,
    answer: ({ messages }) => answerTo(String(messages.at(-1)?.content)),
  })
  const port = await freePort()
  const start = (): Promise<Child> =>
    startChild({
      command: gatewayCommand(),
      folder,
      environment: { MINUTEBOOK_PORT: String(port), MINUTEBOOK_UPSTREAMS: upstream.url },
    })
  let gateway = await start()
  onTestFinished(() => void gateway.process.kill('SIGKILL'))
  const client = new OpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'none', maxRetries: 0 })
  const seen: Seen[] = []
  let over = false
  /** Called when some of an answer has come. */
  let hit: (() => void) | undefined
  const talkers = [0, 1, 2, 3].map(async (number) => {
    let previous: string | undefined
    for (let count = 0; !over; count++) {
      const one = await attempt(client, `question ${count} of talker ${number}`, previous, () => hit?.())
      seen.push(one)
      if (one.isWhole) previous = one.id
      else await pause(50)
    }
    return previous
  })
  const broken = (): number => seen.filter(({ isWhole, text }) => !isWhole && text !== '').length
  // On a busy machine a whole answer may lie there when the gateway is killed: then there is one more.
  for (let count = 0; count < kills || (broken() < kills && count < 10 * kills); count++) {
    const before = seen.length
    for (
      let waited = 0;
      waited < within(60_000) && seen.slice(before).filter(({ isWhole }) => isWhole).length < 4;
      waited += 10
    )
      await pause(10)
    await pause(Math.random() * 100)
    await Promise.race([
      pause(within(60_000), undefined, { ref: false }),
      new Promise<void>((resolve) => {
        hit = () => {
          gateway.process.kill('SIGKILL')
          resolve()
        }
      }),
    ])
    hit = undefined
    await gateway.kill()
    gateway = await start()
  }
  over = true
  const last = await Promise.all(talkers)
  for (const { id, text, isWhole } of seen) {
    if (id === undefined) continue
    const kept = await client.responses.retrieve(id).catch((error: unknown) => (error as { status?: number }).status)
    if (isWhole) expect(kept).toMatchObject({ status: 'completed', output_text: text })
    // One that was cut off never looks completed, unless it was on record and only its last event was lost.
    else if (typeof kept === 'object')
      expect(
        kept.status === 'completed'
          ? kept.output_text.startsWith(text)
          : ['in_progress', 'failed', 'cancelled'].includes(kept.status ?? ''),
      ).toBe(true)
    else expect(kept).toBe(404)
  }
  for (const id of last)
    expect(
      (await client.responses.create({ model: 'strict', input: 'the end', previous_response_id: id! })).status,
    ).toBe('completed')
  // One that was cut off can be gone on from, too.
  const cut = seen.findLast(({ id, isWhole, text }) => id !== undefined && !isWhole && text !== '')
  const found = cut?.id === undefined ? undefined : await client.responses.retrieve(cut.id).catch(() => undefined)
  if (found)
    expect(
      (await client.responses.create({ model: 'strict', input: 'and then', previous_response_id: found.id })).status,
    ).toBe('completed')
  await gateway.stop()
  const whole = seen.filter(({ isWhole }) => isWhole)
  console.log(
    `${kills} kills: ${seen.length} responses asked for, ${whole.length} completed, ${broken()} broke off in the middle`,
  )
  const { doubled: _, ...judged } = await judge(join(folder, 'minutebook.db'), seen)
  expect(judged).toEqual({ early: [], lost: [], broken: [] })
  // Else the kills came when nothing was going on.
  expect(whole.length).toBeGreaterThan(kills)
  expect(broken()).toBeGreaterThanOrEqual(kills)
}, 3_600_000)

async function attempt(
  client: OpenAI,
  question: string,
  previous: string | undefined,
  notice: () => void,
): Promise<Seen> {
  const manner = { client: 'openai', streams: true } as const
  let [id, text, isWhole]: [string | undefined, string, boolean] = [undefined, '', false]
  try {
    for await (const event of await client.responses.create({
      model: 'strict',
      input: question,
      stream: true,
      ...(previous !== undefined && { previous_response_id: previous }),
    })) {
      if (event.type === 'response.created') id = event.response.id
      if (event.type === 'response.output_text.delta') {
        text += event.delta
        notice()
      }
      if (event.type === 'response.completed') isWhole = true
    }
  } catch {
    // It was cut off: what came before is what was seen.
  }
  return { manner, question, id, text, isWhole }
}
