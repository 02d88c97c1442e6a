import { fork, type ChildProcess } from 'node:child_process'
import type { Counted, Report, Setting } from './our-clients.ts'
import { connectionTime, othersShare, processorTime, type ProcessorTime } from './processor-time.ts'
import type { Server } from './server.ts'
import type { Played, Round, Side } from './side.ts'
import type { SeededThreads } from './threads.ts'

/** Our store, its clients all in one Node process, or shared between several: one for each party. */
export function ourSide(
  { cluster }: Server,
  url: string,
  threads: SeededThreads,
  parties: readonly number[],
): Side & { readonly stop: () => void } {
  const children = parties.map((party) =>
    fork(new URL('our-clients.ts', import.meta.url), [JSON.stringify({ url, threads, party } satisfies Setting)]),
  )
  return {
    name: children.length === 1 ? 'ours' : `ours, ${children.length} processes`,
    play: async (round) => {
      const taking = children.slice(0, round.clients)
      const share = { ...round, clients: Math.round(round.clients / taking.length) }
      const used: Partial<Record<'began' | 'counted', ProcessorTime>> = {}
      const pids = taking.flatMap(({ pid }) => pid ?? [])
      const reports = await Promise.all(
        taking.map((child) => playRound(child, share, (when) => (used[when] = processorTime(cluster.pids(), pids)))),
      )
      return played(reports, used.began!, used.counted!)
    },
    stop: () => {
      for (const child of children) child.disconnect()
    },
  }
}

function playRound(child: ChildProcess, round: Round, sample: (when: 'began' | 'counted') => void): Promise<Counted> {
  return new Promise((resolve, reject) => {
    let counted: Counted | undefined
    const failed = (code: number | null): void => reject(new Error(`A process of our clients ended with ${code}.`))
    const heard = (report: Report): void => {
      if (report === 'began') return sample('began')
      if (report !== 'ended') {
        counted = report
        sample('counted')
        return void child.send('end')
      }
      child.off('message', heard).off('exit', failed)
      resolve(counted!)
    }
    child.on('message', heard).on('exit', failed)
    child.send(round)
  })
}

function played(reports: readonly Counted[], before: ProcessorTime, after: ProcessorTime): Played {
  const sum = (of: (report: Counted) => number): number => reports.reduce((total, report) => total + of(report), 0)
  const operations = sum((report) => report.operations)
  return {
    rate: sum((report) => report.operations / report.seconds),
    serverTime: (connectionTime(before, after) * 1e6) / operations,
    clientTime: (sum((report) => report.processorSeconds) * 1e6) / operations,
    othersShare: othersShare(before, after),
  }
}
