import { MinutebookError } from 'minutebook'
import type { Definition } from '../definition.ts'
import { fieldName, invalidExperiment, type Finding } from '../problem.ts'
import { readYaml } from '../yaml-text.ts'
import { moduleTool } from './module-tool.ts'

export interface ModuleCheck {
  /** Where the file of the experiment stands. */
  readonly folder: string
  /** What the definition was read from, so that lines can be told. */
  readonly text?: string | undefined
  /** What the text is called in errors: the name of its file. */
  readonly source?: string | undefined
}

/**
 * Loads the modules of an experiment that is to run on this machine. Throws `invalid_experiment` with every tool whose file is not
 * there, cannot be loaded or does not export it, each with its line, field and fix.
 *
 * @example
 * await checkModules(definition, { folder: dirname(file), text, source: file })
 */
export async function checkModules({ tools = {} }: Definition, { folder, text, source }: ModuleCheck): Promise<void> {
  const found = await Promise.all(Object.entries(tools).map(async ([name, { module }]) => (module === undefined ? undefined : findingOf(name, module, folder))))
  const findings = found.filter((finding) => finding !== undefined)
  if (findings.length === 0) return
  const yaml = text === undefined ? undefined : readYaml(text)
  throw invalidExperiment(findings.map((finding) => yaml?.place(finding) ?? { field: fieldName(finding.path), problem: finding.problem, fix: finding.fix }), source)
}

async function findingOf(tool: string, module: string, folder: string): Promise<Finding | undefined> {
  try {
    await moduleTool(tool, module, folder)
    return undefined
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    const { problem, fix } = error.details
    return { path: ['tools', tool, 'module'], problem: typeof problem === 'string' ? problem : error.message, fix: typeof fix === 'string' ? fix : 'mend that file' }
  }
}
