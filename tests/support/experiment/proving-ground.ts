import { memoryStore, type ModelRequest } from 'minutebook'
import type { Experiment } from '@minutebook/experiment/run'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { scriptedModel, type ScriptedAnswer } from '@minutebook/testing'
import { laboratory } from './laboratory.ts'
import { runName, window, type CountedCall } from './doomed-instance.ts'
import { answersOf, evidenceOf, type Evidence } from './evidence.ts'
import type { KillPoint } from './kill-plan.ts'
import { market, trader } from './market.ts'
import { clerk, shop } from './shop.ts'

/** A run that nobody disturbed, and a folder in which others are to play it again. */
export interface ProvingGround {
  readonly folder: string
  readonly experiment: Experiment
  readonly undisturbed: Evidence
  /** The model calls of those who played it again. */
  calls(): readonly CountedCall[]
  /** What they did that could not be undone. */
  shipped(): readonly string[]
}

/** `wire`: ollama's calls have no ids. */
export async function provingGround(
  which: 'market' | 'shop',
  rounds: number,
  plan: readonly KillPoint[],
  wire: 'openai' | 'ollama' = 'openai',
): Promise<ProvingGround> {
  const [experiment, player] =
    which === 'market' ? ([market({ rounds }), trader] as const) : ([shop({ rounds }), clerk] as const)
  const store = memoryStore()
  const lab = await laboratory([experiment], (name) => speaking(player(name), wire), { store, window })
  await lab.play(runName, experiment)
  await lab.close()
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-experiment-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'which.json'), JSON.stringify({ experiment: which, rounds, wire }))
  writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan))
  writeFileSync(join(folder, 'answers.json'), JSON.stringify(await answersOf(store, runName, experiment)))
  const linesOf = (name: string): readonly string[] =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trim().split('\n') : []
  return {
    folder,
    experiment,
    undisturbed: await evidenceOf(store, runName, experiment),
    calls: () => linesOf('calls').map((line) => JSON.parse(line) as CountedCall),
    shipped: () => linesOf('shipped'),
  }
}

function speaking(
  answer: (request: ModelRequest) => ScriptedAnswer,
  wire: 'openai' | 'ollama',
): ReturnType<typeof scriptedModel> {
  return scriptedModel(
    Array.from({ length: 1000 }, () => answer),
    { wire, model: 'm' },
  )
}
