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
  type RateLimitConfig,
  type StateConfig,
  type TelemetryConfig,
  type ToolConfig,
  type UpstreamConfig,
} from './config/config.ts'
export { serve, type CloseOptions, type Running, type ServeOptions } from './serve.ts'
export { isAlive, readAddress, removeAddress, type Address } from './address-file.ts'
export {
  openStores,
  noFolderError,
  storeFile,
  storeFiles,
  tenantsIn,
  type TenantStore,
  type OpenOptions,
  type Stores,
} from './stores/stores.ts'
export {
  examineDatabase,
  migrateDatabase,
  roleProblem,
  type DatabaseRole,
  type MigrateOptions,
  type Migrated,
  type RoleProblem,
} from './stores/migrate.ts'
export type { ApiHandler, ChatHandler, Services } from './services.ts'
export { scopes, type Caller, type Scope } from './config/caller.ts'
export {
  createKeyRing,
  generateKey,
  ringFor,
  type GeneratedKey,
  type KeyRing,
  type KnownKey,
  type MadeKey,
  type WantedKey,
} from './auth/key-ring.ts'
export { keyRecord, type KeyRecord, type RecordedKey } from './auth/key-record.ts'
export type { LogOutput } from './telemetry/request-log.ts'
export type { ProtocolName } from './config/settings.ts'
export type { Visit } from './http/http.ts'
export { questionHeaders } from './http/headers.ts'
export { configuredFor, createWindows, type Window, type Windows } from './upstream/window.ts'
export { upstreamsOf, type Upstream, type Upstreams } from './upstream/upstream.ts'
export type {
  CallDump,
  CallPlace,
  Archive,
  Explanation,
  ImportedThread,
  PinChange,
  ShownEntry,
  ShownThread,
  ThreadVerification,
  UnderivedCall,
} from './archive/archive.ts'
export type { ArchivePage, ThreadList, ThreadSummary } from './archive/thread-list.ts'
export { underivedCall } from './archive/archive.ts'
export {
  callFlags,
  callOutcomes,
  flagsOf,
  type CallPage,
  type ListedCall,
  type ListedCalls,
} from './archive/call-list.ts'
export type { Overview, OverviewQuery } from './archive/overview.ts'
export type { ReplayChanges, ReplayedCall } from './archive/replay.ts'
export {
  beginRun,
  forkRun,
  openLocalRun,
  mergePatch,
  policyProblems,
  folderOf,
  type BeginPlace,
  type NewFork,
  type NewRun,
} from './experiments/begin.ts'
export { offlineRuns, runCommands, type RunCommand, type RunArchive } from './experiments/runs.ts'
export { boardAfter, type RunChange, type RunBoard } from './experiments/board.ts'
export { exportFormats, type ExportFormat } from './experiments/export.ts'
export { wakeRun } from './experiments/experiments.ts'
export type { RunList, RunPage, RunSummary } from './experiments/list.ts'
export type { AnsweredWithout, EntryLane, LaneChoice } from './archive/lane.ts'
export type { FeedbackChange } from './archive/archive.ts'
export type { FoundEntry } from './archive/search.ts'
export { openArchive } from './archive/open-archive.ts'
export { configuredCounters } from './archive/counters.ts'
export { apiHandler } from './api/api.ts'
export { relayChat } from './gateway/gateway.ts'
export { printable, printableLine, segmentOf } from './api/printable.ts'
export { windowLimitText } from './turns/window-limit.ts'
export { messageForOperator } from './http/reply.ts'
export { createMcpServers, type McpServers } from './tools/tools.ts'
export { policiesOf, type Policies } from './stores/policies.ts'
export { readSetup, type Setup } from './stores/setup.ts'
export { createUpstreamClient, type UpstreamClient } from './upstream/call.ts'
