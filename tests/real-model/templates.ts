import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Template } from '@huggingface/jinja'
import { cachedFolder } from './cache.ts'
import { rewriteForRenderer } from './renderer-gaps.ts'

/** A model's own chat template. */
export interface ChatTemplate {
  readonly name: string
  readonly source: string
  /** The prompt text, ready for the answer. Throws what the template raises when it refuses the messages. */
  render(messages: readonly object[], tools?: readonly object[]): string
}

type Variables = Readonly<Record<string, unknown>>

const packageFolder = join(import.meta.dirname, 'node_modules', 'node-llama-cpp')
const bundle = join(packageFolder, 'llama', 'gitRelease.bundle')

/** Every chat template that llama.cpp ships, by name, read once per process. */
export function chatTemplates(): readonly ChatTemplate[] {
  loaded ??= readTemplates(extractedFolder())
  return loaded
}

let loaded: readonly ChatTemplate[] | undefined

/** One of them by name, such as 'google-gemma-2-2b-it'. */
export function chatTemplate(name: string): ChatTemplate {
  const found = chatTemplates().find((template) => template.name === name)
  if (found === undefined) throw new Error(`No chat template is named '${name}'; chatTemplates() lists the names.`)
  return found
}

/** Makes a template from its Jinja source. Throws when the source does not parse. */
export function compileTemplate(name: string, source: string): ChatTemplate {
  const template = new Template(rewriteForRenderer(source))
  const withoutTools = variablesWithoutTools(template)
  return {
    name,
    source,
    render: (messages, tools) =>
      template.render({ ...fixedVariables, ...(tools === undefined ? withoutTools : { tools }), messages }),
  }
}

const fixedVariables: Variables = {
  bos_token: '<s>',
  eos_token: '</s>',
  add_generation_prompt: true,
  date_string: '15 Jan 2026',
  strftime_fixed: (format: string) => strftime(format),
  // firefunction's own names for the tools and the day.
  functions: '[]',
  datetime: '2026-01-15',
}

const dateParts: Readonly<Record<string, string>> = {
  '%Y': '2026',
  '%m': '01',
  '%d': '15',
  '%b': 'Jan',
  '%B': 'January',
  '%A': 'Thursday',
  '%H': '12',
  '%M': '00',
  '%S': '00',
}

function strftime(format: string): string {
  return format.replaceAll(/%[A-Za-z]/g, (part) => dateParts[part] ?? part)
}

/**
 * An engine leaves `tools` undefined when there are none. Python's Jinja takes an undefined value for an empty list;
 * this renderer does not, so templates that loop over `tools` without asking get an empty list instead.
 */
function variablesWithoutTools(template: Template): Variables {
  const messages = [{ role: 'user', content: 'Hello' }]
  try {
    template.render({ ...fixedVariables, messages })
    return {}
  } catch {
    return { tools: [] }
  }
}

function readTemplates(folder: string): ChatTemplate[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.jinja'))
    .sort()
  return files.map((file) => compileTemplate(basename(file, '.jinja'), readFileSync(join(folder, file), 'utf8')))
}

function extractedFolder(): string {
  return cachedFolder('templates', [join(packageFolder, 'package.json')], (folder) => {
    const clone = join(folder, 'clone')
    git('clone', '--quiet', '--no-checkout', bundle, clone)
    git('-C', clone, 'checkout', '--quiet', 'HEAD', '--', 'models/templates')
    cpSync(join(clone, 'models', 'templates'), folder, { recursive: true })
    rmSync(clone, { recursive: true })
  })
}

function git(...words: string[]): void {
  execFileSync('git', ['-c', 'advice.detachedHead=false', ...words], { stdio: ['ignore', 'ignore', 'inherit'] })
}
