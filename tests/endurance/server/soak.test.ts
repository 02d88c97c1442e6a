import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startChild } from '../../support/process/child.ts'
import { gatewayCommand } from './kill/command.ts'
import { soakAgent } from './soak/asked.ts'
import { growthOf, holdingLine, restingOf, type Holding } from './soak/holding.ts'
import { smallModel, visitors } from './soak/visitors.ts'
import { within } from '../../support/patience.ts'

const seconds = Number(process.env['SOAK_SECONDS'] ?? 4)
/** Until what is loaded late is loaded and what is kept is kept. */
const warmUp = Math.max(2, seconds / 5)
const samplesWanted = seconds >= 60 ? 24 : 3
const mega = 2 ** 20
/**
 * A short run shows that it works; only a long one shows that nothing grows. Connections are kept for whoever comes
 * next: how many depends on how busy the machine is, and is no more than there are visitors.
 */
const kept = 20
const most: Holding =
  seconds >= 120
    ? { rss: 24 * mega, heap: 6 * mega, external: 8 * mega, files: kept, handles: kept }
    : { rss: 96 * mega, heap: 48 * mega, external: 32 * mega, files: kept, handles: kept }

test(
  `${seconds} s of streams, departures, retries and other requests: memory and handles stay flat`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'minutebook-soak-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const upstream = await startChild({
      command: [process.execPath, '--no-warnings', pathOf('../../../bench/gateway/upstream-process.ts')],
      folder: join(folder, 'upstream'),
    })
    onTestFinished(() => upstream.kill())
    const gateway = await startChild({
      command: gatewayCommand('--expose-gc', '--import', pathOf('./soak/probe.ts')),
      folder: join(folder, 'gateway'),
      environment: {
        MINUTEBOOK_UPSTREAMS: upstream.url,
        MINUTEBOOK_MODELS: JSON.stringify({ [smallModel]: { window: 1024 } }),
      },
      speaks: true,
    })
    onTestFinished(() => gateway.kill())
    onTestFinished(() => soakAgent.destroy())

    const faults: string[] = []
    const counts = new Map<string, number>()
    const slowest = { name: '', milliseconds: 0 }
    const everybody = visitors(gateway.url)
    const visitFor = async (milliseconds: number): Promise<void> => {
      const end = performance.now() + milliseconds
      await Promise.all(
        everybody.map(async ({ name, visit }) => {
          while (performance.now() < end) {
            const began = performance.now()
            const fault = await visit()
            const milliseconds = performance.now() - began
            if (milliseconds > slowest.milliseconds) Object.assign(slowest, { name, milliseconds })
            if (fault !== undefined) faults.push(`${name}: ${fault}`)
            counts.set(name, (counts.get(name) ?? 0) + 1)
          }
        }),
      )
    }
    await visitFor(warmUp * 1000)
    const samples: Holding[] = []
    for (let sample = 0; sample < samplesWanted; sample++) {
      await visitFor(((seconds - warmUp) * 1000) / samplesWanted)
      samples.push(await restingOf(gateway))
      if (seconds >= 60)
        console.log(
          `${Math.round(((sample + 1) / samplesWanted) * 100)} %, ${[...counts.values()].reduce((sum, count) => sum + count, 0)} visits: ${holdingLine(samples.at(-1)!)}`,
        )
    }
    const growth = growthOf(samples)
    console.log(
      `${seconds} s, ${[...counts.values()].reduce((sum, count) => sum + count, 0)} visits. At the end: ${holdingLine(samples.at(-1)!)}. Grown: ${holdingLine(growth)}. The slowest visit: ${slowest.name}, ${Math.round(slowest.milliseconds)} ms`,
    )
    expect(faults.slice(0, 5)).toEqual([])
    for (const [field, limit] of Object.entries(most) as [keyof Holding, number][])
      expect.soft(growth[field], `growth of ${field}`).toBeLessThanOrEqual(limit)
    await gateway.stop()
  },
  3000 * seconds + within(300_000),
)

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}
