export {
  dataFolder,
  defaults,
  findFile,
  namedIn,
  readConfig,
  type Config,
  type ConfigSources,
  type FoundFile,
  type KeyConfig,
  type McpConfig,
  type ModelConfig,
  type PolicyConfig,
  type RateLimitConfig,
  type StateConfig,
  type TelemetryConfig,
  type ToolConfig,
  type UpstreamConfig,
} from './config.ts'
export { serve, type CloseOptions, type Running, type ServeOptions } from './serve.ts'
export { isAlive, readAddress, removeAddress, type Address } from './address-file.ts'
export { openStores, storeFile, type Opened, type OpenOptions, type Stores } from './open-store.ts'
export {
  examineDatabase,
  migrateDatabase,
  type DatabaseRole,
  type MigrateOptions,
  type Migrated,
} from './migrate-database.ts'
export { roleProblem, type RoleProblem } from './store/database-role.ts'
export type { ApiHandler } from './api-handler.ts'
export type { ChatHandler } from './chat-handler.ts'
export type { Caller } from './caller.ts'
export { scopes, type Scope } from './scope.ts'
export { createKeyRing, ringFor, type KeyRing, type KnownKey, type MadeKey } from './key-ring.ts'
export { keyRecord, type KeyRecord, type RecordedKey } from './key-record.ts'
export type { LogOutput } from './log.ts'
export type { ProtocolName } from './protocol-name.ts'
export type { Services } from './services.ts'
export type { Visit } from './visit.ts'
export type { Window, Windows } from './window.ts'
export type { Upstream, Upstreams } from './upstream.ts'
export type {
  CallDump,
  CallPlace,
  Desk,
  DeskPage,
  Explanation,
  ImportedThread,
  ShownEntry,
  ShownThread,
  ThreadList,
  ThreadSummary,
  ThreadVerification,
} from './desk.ts'
export type { ReplayChanges, ReplayedCall } from './desk/replayed.ts'
export { beginRun, forkRun, type BeginPlace, type ForkWish, type RunWish } from './experiments/begin-run.ts'
export { experimentsOf } from './experiments/experiments-of.ts'
export { openLocalRun } from './experiments/local-run.ts'
export { mergePatch } from './experiments/merge-patch.ts'
export { offlineRuns } from './experiments/offline-runs.ts'
export { boardAfter, type RunNews } from './experiments/run-changes.ts'
export type { RunBoard } from './experiments/run-board.ts'
export { runCommands, type RunCommand, type RunDesk } from './experiments/run-desk.ts'
export { exportFormats, type ExportFormat } from './experiments/run-export.ts'
export { policyProblems } from './experiments/policy-problems.ts'
export { leaveRuns, takeRun, wakeRun } from './experiments/taken-runs.ts'
export { folderOf } from './experiments/run-folder.ts'
export type { RunList, RunPage, RunSummary } from './experiments/run-list.ts'
export { localDesk } from './local-desk.ts'
export { configuredCounters } from './desk/configured-counters.ts'
export { apiHandler } from './api/handler.ts'
export { relayChat } from './chat/relay-chat.ts'
export { readable, readableLine } from './api/readable.ts'
export { shortfallText } from './turns/window-shortfall.ts'
export { segmentOf } from './api/segment.ts'
export { worded } from './worded.ts'
export { createMcpShelf, type McpShelf } from './tools/mcp-shelf.ts'
export { policiesOf, type Policies } from './turns/policies.ts'
export { readSetup, type Setup } from './turns/setup.ts'
export { upstreamsOf } from './upstream.ts'
export { createUpstreamCaller, type UpstreamCaller } from './upstream-call.ts'
export { configuredFor, createWindows } from './window.ts'
