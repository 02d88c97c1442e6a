import { readFile } from 'node:fs/promises'
import { MinutebookError } from 'minutebook'
import type { Definition } from '../definition.ts'
import { fieldName, invalidExperiment, type ToldFinding } from '../problem.ts'
import { readYaml } from '../yaml-text.ts'
import { badModule, moduleFile } from './module-tool.ts'

export interface ModuleCheck {
  /** Where the file of the experiment stands. */
  readonly folder: string
  /** What the definition was read from, so that lines can be told. */
  readonly text?: string | undefined
  /** What the text is called in errors: the name of its file. */
  readonly source?: string | undefined
}

/**
 * Looks at the modules of an experiment that is to run on this machine, and runs nothing of them: whoever checks a file
 * has not decided to run it. Throws `invalid_experiment` with every tool whose file is not there, is outside of the
 * folder, or exports nothing of that name, each with its line, field and fix. What a module throws when it is loaded is
 * seen when it is run.
 *
 * @example
 * await checkModules(definition, { folder: dirname(file), text, source: file })
 */
export async function checkModules({ tools = {} }: Definition, { folder, text, source }: ModuleCheck): Promise<void> {
  const found = await Promise.all(
    Object.entries(tools).map(async ([name, { module }]) =>
      module === undefined ? undefined : findingOf(name, module, folder),
    ),
  )
  const findings = found.filter((finding) => finding !== undefined)
  if (findings.length === 0) return
  const yaml = text === undefined ? undefined : readYaml(text)
  throw invalidExperiment(
    findings.map(
      (finding) =>
        yaml?.place(finding) ?? { field: fieldName(finding.path), problem: finding.problem, fix: finding.fix },
    ),
    source,
  )
}

async function findingOf(tool: string, module: string, folder: string): Promise<ToldFinding | undefined> {
  try {
    const [path = '', name = ''] = module.split('#')
    const text = await readFile(await moduleFile(tool, path, folder), 'utf8')
    if (!mayExport(text, name))
      throw badModule(tool, module, `${path} exports no function or tool "${name}"`, 'export it there, or name another')
    return undefined
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    const { problem, fix } = error.details
    return {
      path: ['tools', tool, 'module'],
      problem: typeof problem === 'string' ? problem : error.message,
      fix: typeof fix === 'string' ? fix : 'correct that file',
    }
  }
}

/** Whoever exports a name writes it down, unless they pass on all that another file exports. */
function mayExport(text: string, name: string): boolean {
  return text.includes(name) || !/\bexport\b/.test(text) || /\bexport\s*\*/.test(text)
}
