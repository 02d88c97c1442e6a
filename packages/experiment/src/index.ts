export { readExperiment, type ReadOptions } from './read-experiment.ts'
export { checkDefinition, type CheckOptions } from './check-definition.ts'
export { compileExperiment, type CompileOptions } from './compile-experiment.ts'
export { experimentSchema } from './json-schema.ts'
export { definitionValue } from './definition.ts'
export type {
  Assignments,
  Definition,
  HttpDefinition,
  HttpMethod,
  McpDefinition,
  Requirement,
  ToolDefinition,
} from './definition.ts'
export { problemText, type Problem } from './problem.ts'
export type { Runner, Runners } from './tool/runner.ts'
export {
  toolsOf,
  type LocalPlace,
  type Place,
  type RegisteredTools,
  type ServerPlace,
  type Toolset,
} from './tool/tools-of.ts'
export { checkModules, type ModuleCheck } from './tool/check-modules.ts'
export { mcpServer, mcpToolName, type McpServer, type McpSettings } from './tool/mcp-server.ts'
export { sentence } from './fix.ts'
