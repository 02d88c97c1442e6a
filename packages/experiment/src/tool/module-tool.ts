import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MinutebookError } from 'minutebook'
import type { Runner } from './runner.ts'
import { sentence } from '../fix.ts'

/**
 * A function, or a whole tool, that a file beside the experiment's exports: `./tools.ts#forecast`. The file must stand
 * in the folder of the experiment or below it, wherever links lead.
 */
export async function moduleTool(tool: string, module: string, folder: string): Promise<Runner> {
  const [path = '', name = ''] = module.split('#')
  const file = await moduleFile(tool, path, folder)
  const exported = (await import(/* @vite-ignore */ pathToFileURL(file).href).catch((error: unknown) => {
    throw badModule(
      tool,
      module,
      `${path} throws ${error instanceof Error ? error.message : 'something'}`,
      'mend that file',
    )
  })) as Readonly<Record<string, unknown>>
  const found = exported[name]
  if (typeof found === 'function') return { run: found as Runner['run'] }
  if (isRunner(found)) return found
  throw badModule(
    tool,
    module,
    `${path} exports no function or tool "${name}"`,
    `it exports ${Object.keys(exported).toSorted().join(', ') || 'nothing'}`,
  )
}

/** Where the file of a module is. Throws if it is not there, or not in the folder of the experiment. */
export async function moduleFile(tool: string, path: string, folder: string): Promise<string> {
  const home = await realpath(folder)
  const file = await realpath(resolve(home, path)).catch(() => {
    throw badModule(tool, path, `there is no ${path} beside the experiment`, 'mend its path')
  })
  if (file.startsWith(home.endsWith(sep) ? home : `${home}${sep}`)) return file
  throw new MinutebookError(
    'tool_not_allowed',
    `The tool "${tool}" is in ${path}, which is outside of the folder of the experiment.`,
    'Move the file there.',
    { tool, module: path, problem: `${path} is outside of the folder of the experiment`, fix: 'move the file there' },
  )
}

export function badModule(tool: string, module: string, problem: string, fix: string): MinutebookError {
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
