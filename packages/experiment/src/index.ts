export { readExperiment, type ReadOptions } from './read-experiment.ts'
export { checkDefinition, type CheckOptions } from './check/check.ts'
export { compileExperiment, type CompileOptions } from './compile-experiment.ts'
export { experimentSchema } from './shape/experiment.ts'
export {
  type Assignments,
  type Definition,
  definitionValue,
  type HttpDefinition,
  type HttpMethod,
  type McpDefinition,
  type Requirement,
  type ToolDefinition,
} from './definition.ts'
export { type Problem, problemText, sentence } from './problem.ts'
export type { Runner, Runners } from './tool/runner.ts'
export {
  toolsOf,
  type LocalPlace,
  type Place,
  type RegisteredTools,
  type ServerPlace,
  type Toolset,
} from './tool/tool.ts'
export { checkModules, type ModuleCheck } from './tool/module-tool.ts'
export { mcpServer, mcpToolName, type McpServer, type McpSettings } from './tool/mcp-server.ts'
