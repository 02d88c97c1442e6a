import { isOver } from '@minutebook/experiment/run'
import { boardAfter, openLocalRun, printableLine, type RunArchive, type RunBoard, wakeRun } from '@minutebook/server'
import { type ReachedGateway, reachGateway } from '../connection/gateway.ts'
import type { Location } from '../connection/location.ts'
import { remoteRuns, type RemoteRuns } from '../connection/remote-runs.ts'
import { type ExitCode, safeJson } from '../terminal/failure.ts'
import { createBlock } from '../terminal/live.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { endLine, gapLines, newsLines } from './board.ts'
import { liveBlock } from './live-block.ts'

/** Where runs go on: at a server, or in this process. */
export interface ReachedRuns extends ReachedGateway {
  readonly runs: RemoteRuns
  close(): Promise<void>
}

/** `run`: one that was begun on this machine and is to go on. */
export async function reachRuns(
  terminal: Terminal,
  location: Location & { readonly upstream?: string | undefined },
  run?: string,
): Promise<ReachedRuns> {
  const gateway = await reachGateway(terminal, location, async (services) => {
    services.hostedRuns.onlyAsked()
    if (run === undefined) return
    services.hostedRuns.host('default', run)
    await openLocalRun(services, 'default', run)
  })
  const { address, own } = gateway
  // One whose process died was never paused: it goes on by itself.
  if (own && run !== undefined) await wakeRun(own.services, 'default', run)
  return { ...gateway, runs: remoteRuns(address), close: async () => own?.close({ notice: 0 }) }
}

interface FollowOptions {
  readonly json?: boolean | undefined
  /** Whether Ctrl-C pauses the run, or only leaves it. */
  readonly pauses: boolean
}

/**
 * Shows a run until it is over or paused: on a terminal as a block that is drawn again in place, else as lines. A
 * success or a limit is well; a failure, an error, a stop and a pause are not.
 */
export async function followRun(
  terminal: Terminal,
  runs: RunArchive,
  run: string,
  { json = false, pauses }: FollowOptions,
): Promise<ExitCode> {
  const left = new AbortController()
  const isLive = terminal.output.isTTY === true && !json
  const block = createBlock(terminal)
  let board: RunBoard | undefined
  const draw = (): void => {
    if (board && isLive) block.draw(liveBlock(board, terminal, Date.now()))
  }
  const interrupted = onInterrupt(async () => {
    block.end()
    if (pauses) await paused(terminal, runs, run)
    else terminal.remark(`It goes on. Watch it again with: minutebook runs watch ${run}`)
    left.abort()
  })
  const ticking = isLive ? setInterval(draw, 1000) : undefined
  try {
    for await (const news of runs.watch(run, { signal: left.signal })) {
      const before = board
      board = boardAfter(board, news)
      if (json) terminal.print(safeJson({ event: news.event, ...news.data }))
      else if (isLive) draw()
      else for (const line of newsLines(before, board, terminal)) terminal.print(line)
      if (board.status === 'paused' && !interrupted.has()) break
    }
  } finally {
    clearInterval(ticking)
    await interrupted.over()
    block.end()
  }
  if (!board) return 1
  if (interrupted.has()) return 1
  if (!json) for (const line of [endLine(board, terminal), ...gapLines(board, terminal)]) terminal.print(line)
  if (board.status === 'paused') terminal.remark(`Go on with: minutebook runs resume ${printableLine(run)}`)
  return isOver(board.status) && (board.status === 'success' || board.status === 'limit') ? 0 : 1
}

async function paused(terminal: Terminal, runs: RunArchive, run: string): Promise<void> {
  try {
    await runs.steer(run, 'pause')
    terminal.remark(`\nPaused: what is under way is finished first. Go on with: minutebook runs resume ${run}`)
  } catch {
    // It was over, or paused, in the same moment.
    terminal.remark(`\nSee how it stands with: minutebook runs show ${run}`)
  }
}

interface Interrupt {
  has(): boolean
  /** Listens no more, and waits for what was begun. */
  over(): Promise<void>
}

/** The first Ctrl-C is heeded, a second one ends at once. */
function onInterrupt(heed: () => Promise<void>): Interrupt {
  let heeding: Promise<void> | undefined
  const hear = (): void => {
    if (heeding) process.exit(130)
    heeding = heed()
  }
  for (const signal of signals) process.on(signal, hear)
  return {
    has: () => heeding !== undefined,
    over: async () => {
      await heeding
      if (!heeding) for (const signal of signals) process.off(signal, hear)
    },
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
