import { MinutebookError } from 'minutebook'
import { readFile, realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Definition } from '../definition.ts'
import { fieldName, invalidExperimentError, sentence, type ToldFinding } from '../problem.ts'
import { readYaml } from '../read-experiment.ts'
import type { Runner } from './runner.ts'

/**
 * A function, or a whole tool, from a file next to the experiment's: `./tools.ts#forecast`. The file must be in the
 * folder of the experiment or below it, also after links are resolved.
 */
export async function moduleTool(tool: string, module: string, folder: string): Promise<Runner> {
  const [path = '', name = ''] = module.split('#')
  const file = await moduleFile(tool, path, folder)
  const exported = (await import(/* @vite-ignore */ pathToFileURL(file).href).catch((error: unknown) => {
    throw badModuleError(
      tool,
      module,
      `${path} throws ${error instanceof Error ? error.message : 'something'}`,
      'fix that file',
    )
  })) as Readonly<Record<string, unknown>>
  const found = exported[name]
  if (typeof found === 'function') return { run: found as Runner['run'] }
  if (isRunner(found)) return found
  throw badModuleError(
    tool,
    module,
    `${path} exports no function or tool "${name}"`,
    `it exports ${Object.keys(exported).toSorted().join(', ') || 'nothing'}`,
  )
}

/** The path of a module's file. Throws if it does not exist, or is not in the folder of the experiment. */
async function moduleFile(tool: string, path: string, folder: string): Promise<string> {
  const home = await realpath(folder)
  const file = await realpath(resolve(home, path)).catch(() => {
    throw badModuleError(tool, path, `there is no ${path} next to the experiment`, 'fix its path')
  })
  if (file.startsWith(home.endsWith(sep) ? home : `${home}${sep}`)) return file
  throw new MinutebookError(
    'tool_not_allowed',
    `The tool "${tool}" is in ${path}, which is outside of the folder of the experiment.`,
    'Move the file there.',
    { tool, module: path, problem: `${path} is outside of the folder of the experiment`, fix: 'move the file there' },
  )
}

function badModuleError(tool: string, module: string, problem: string, fix: string): MinutebookError {
  return new MinutebookError('bad_module', `The tool "${tool}" cannot be loaded: ${problem}.`, sentence(fix), {
    tool,
    module,
    problem,
    fix,
  })
}

function isRunner(value: unknown): value is Runner {
  return typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function'
}

/** Where the modules of an experiment's tools are looked for. */
export interface ModuleCheck {
  /** The folder of the experiment's file. */
  readonly folder: string
  /** The text of the definition, for line numbers. */
  readonly text?: string | undefined
  /** What the text is called in errors: the name of its file. */
  readonly source?: string | undefined
}

/**
 * Checks the modules of an experiment for this machine without running them: a person who checks a file has not decided to run it.
 * Throws `invalid_experiment` with every tool whose file is missing, is outside of the folder, or does not export that
 * name, each with its line, field and fix. Errors of loading a module show when it runs.
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
  throw invalidExperimentError(
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
      throw badModuleError(
        tool,
        module,
        `${path} exports no function or tool "${name}"`,
        'export it there, or name another',
      )
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

/** An exported name is written in the file, unless it re-exports everything of another file. */
function mayExport(text: string, name: string): boolean {
  return text.includes(name) || !/\bexport\b/.test(text) || /\bexport\s*\*/.test(text)
}
