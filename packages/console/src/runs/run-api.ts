import type { MinutebookClient } from '@minutebook/client'
import { unwrap } from '../api/unwrap.ts'
import type { Wish } from './status.ts'
import type { Comparison, DefinitionProblem, RunBoard, RunPage, RunSummary, Value } from './types.ts'

/** What the console asks the API about runs. All of it throws an `ApiError` with what the server says to do. */
export interface RunApi {
  list(page: { readonly limit: number; readonly after?: string | undefined }, signal: AbortSignal): Promise<RunPage>
  board(run: string, signal: AbortSignal): Promise<RunBoard>
  compare(left: string, right: string, signal: AbortSignal): Promise<Comparison>
  check(definition: string, signal: AbortSignal): Promise<readonly DefinitionProblem[]>
  begin(wish: { readonly definition: string; readonly run?: string; readonly seed?: number }): Promise<RunSummary>
  fork(
    run: string,
    wish: { readonly round: number; readonly changes: { readonly [name: string]: Value }; readonly as?: string },
  ): Promise<RunSummary>
  steer(run: string, wish: Wish): Promise<RunSummary>
}

export function runApi(client: MinutebookClient): RunApi {
  return {
    list: async ({ limit, after }, signal) =>
      unwrap<RunPage>(
        await client.GET('/minutebook/v1/runs', {
          params: { query: { limit, ...(after !== undefined && { after }) } },
          signal,
        }),
      ),
    board: async (run, signal) =>
      unwrap<RunBoard>(await client.GET('/minutebook/v1/runs/{run}', { params: { path: { run } }, signal })),
    compare: async (left, right, signal) =>
      unwrap<Comparison>(
        await client.GET('/minutebook/v1/runs/compare', { params: { query: { left, right } }, signal }),
      ),
    check: async (definition, signal) =>
      unwrap<{ readonly problems: readonly DefinitionProblem[] }>(
        await client.POST('/minutebook/v1/experiments/check', { body: { definition }, signal }),
      ).problems,
    begin: async (body) => unwrap<RunSummary>(await client.POST('/minutebook/v1/runs', { body })),
    fork: async (run, body) =>
      unwrap<RunSummary>(await client.POST('/minutebook/v1/runs/{run}/fork', { params: { path: { run } }, body })),
    steer: async (run, wish) =>
      unwrap<RunSummary>(await client.POST(`/minutebook/v1/runs/{run}/${wish}`, { params: { path: { run } } })),
  }
}
