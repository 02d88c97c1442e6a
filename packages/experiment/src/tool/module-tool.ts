import { MinutebookError } from 'minutebook'
import { readFile, realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Definition } from '../definition.ts'
import { fieldName, invalidExperimentError, sentence, type ToldFinding } from '../problem.ts'
import { readYaml } from '../read-experiment.ts'
import type { Runner } from './runner.ts'

/**
 * A function, or a whole tool, that a file beside the experiment's exports: `./tools.ts#forecast`. The file must stand
 * in the folder of the experiment or below it, wherever links lead.
 */
export async function moduleTool(tool: string, module: string, folder: string): Promise<Runner> {
  const [path = '', name = ''] = module.split('#')
  const file = await moduleFile(tool, path, folder)
  const exported = (await import(/* @vite-ignore */ pathToFileURL(file).href).catch((error: unknown) => {
    throw badModuleError(
      tool,
      module,
      `${path} throws ${error instanceof Error ? error.message : 'something'}`,
      'mend that file',
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

/** Where the file of a module is. Throws if it is not there, or not in the folder of the experiment. */
async function moduleFile(tool: string, path: string, folder: string): Promise<string> {
  const home = await realpath(folder)
  const file = await realpath(resolve(home, path)).catch(() => {
    throw badModuleError(tool, path, `there is no ${path} beside the experiment`, 'mend its path')
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

/** Whoever exports a name writes it down, unless they pass on all that another file exports. */
function mayExport(text: string, name: string): boolean {
  return text.includes(name) || !/\bexport\b/.test(text) || /\bexport\s*\*/.test(text)
}
