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

/** Where runs execute: at a server, or in this process. */
export interface ReachedRuns extends ReachedGateway {
  readonly runs: RemoteRuns
  close(): Promise<void>
}

/** `run`: a run of this machine that is to continue. */
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
  // A run whose process died was never paused: it continues by itself.
  if (own && run !== undefined) await wakeRun(own.services, 'default', run)
  return { ...gateway, runs: remoteRuns(address), close: async () => own?.close({ notice: 0 }) }
}

/** Called when a run waits for persons. Returns true if they have answered, so that there is more to see. */
export type AskPersons = (board: RunBoard) => Promise<boolean>

interface FollowOptions {
  readonly json?: boolean | undefined
  /** Whether Ctrl-C pauses the run, or only stops watching it. */
  readonly pauses: boolean
  /** Default: persons answer elsewhere, and the run is shown until it is over. */
  readonly askPersons?: AskPersons | undefined
}

/**
 * Shows a run until it is over or paused, or waits for a person who does not answer here: on a terminal as a block that is drawn again in place, else as lines. Returns
 * 0 for a success or a limit, else 1.
 */
export async function followRun(
  terminal: Terminal,
  runs: RunArchive,
  run: string,
  { json = false, pauses, askPersons }: FollowOptions,
): Promise<ExitCode> {
  const left = new AbortController()
  const isLive = terminal.output.isTTY === true && !json
  const block = createBlock(terminal)
  let board: RunBoard | undefined
  let isAsking = false
  const draw = (): void => {
    if (board && isLive && !isAsking) block.draw(liveBlock(board, terminal, Date.now()))
  }
  const interrupted = onInterrupt(async () => {
    block.end()
    if (pauses) await paused(terminal, runs, run)
    else terminal.remark(`The run continues. Watch it again with: ${terminal.command(`runs watch ${run}`)}`)
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
      if (board.status !== 'waiting' || !askPersons) continue
      block.end()
      isAsking = true
      if (!(await askPersons(board))) break
      isAsking = false
    }
  } finally {
    clearInterval(ticking)
    await interrupted.over()
    block.end()
  }
  if (!board) return 1
  if (interrupted.has()) return 1
  if (!json) for (const line of [endLine(board, terminal), ...gapLines(board, terminal)]) terminal.print(line)
  if (board.status === 'paused')
    terminal.remark(`Resume with: ${terminal.command(`runs resume ${printableLine(run)}`)}`)
  return isOver(board.status) && (board.status === 'success' || board.status === 'limit') ? 0 : 1
}

async function paused(terminal: Terminal, runs: RunArchive, run: string): Promise<void> {
  try {
    await runs.steer(run, 'pause')
    const resume = terminal.command(`runs resume ${run}`)
    terminal.remark(`\nPaused: turns that have started are finished first. Resume with: ${resume}`)
  } catch {
    // It ended, or was paused, at the same moment.
    terminal.remark(`\nSee its status with: ${terminal.command(`runs show ${run}`)}`)
  }
}

interface Interrupt {
  has(): boolean
  /** Stops listening, and waits for the handler. */
  over(): Promise<void>
}

/** Calls `handle` at the first Ctrl-C. A second one exits at once. */
function onInterrupt(handle: () => Promise<void>): Interrupt {
  let handling: Promise<void> | undefined
  const listener = (): void => {
    if (handling) process.exit(130)
    handling = handle()
  }
  for (const signal of signals) process.on(signal, listener)
  return {
    has: () => handling !== undefined,
    over: async () => {
      await handling
      if (!handling) for (const signal of signals) process.off(signal, listener)
    },
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
