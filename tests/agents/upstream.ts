import { strictUpstream, type StrictUpstream, type UpstreamAnswer } from '@minutebook/testing/server'
import { gptTokenizer } from 'minutebook/gpt-tokenizer'

/** What an agent is asked to do. It must be in every prompt. */
export const task = `Run the commands that you are told, one after the other. The password of the garden is QUINCE-7.`

/** What a scripted model server saw. */
export interface Sight {
  /** Tool calls that it asked for. */
  calls: number
  /** Prompts without the task, or without the result of the newest call. */
  lacking: number
  /** True once it has said that the task is done. */
  isDone: boolean
}

/**
 * A model server that asks for `wanted` calls of the agent's own shell, one after the other. Each prints a page. It
 * refuses prompts that are longer than the window, and calls without results. `responses`: it serves `/v1/responses`.
 */
export async function scriptedUpstream(
  window: number,
  wanted: number,
  responses: boolean,
): Promise<{ readonly server: StrictUpstream; readonly sight: Sight }> {
  const sight: Sight = { calls: 0, lacking: 0, isDone: false }
  const server = await strictUpstream({
    window,
    counter: gptTokenizer(),
    models: ['m'],
    responses,
    answer: ({ tools, text }): UpstreamAnswer => {
      const shell = shellIn(tools)
      // A title, or another request on the side.
      if (!shell) return { text: 'The garden' }
      const hasAll = text.includes('QUINCE-7') && (sight.calls === 0 || text.includes(markOf(sight.calls)))
      if (!hasAll) sight.lacking++
      if (sight.calls === wanted) {
        sight.isDone = true
        return { text: 'All done.' }
      }
      sight.calls++
      return { calls: [{ name: shell.name, arguments: argumentsOf(shell, markOf(sight.calls)) }] }
    },
  })
  return { server, sight }
}

function markOf(call: number): string {
  return `mark-${call}-end`
}

interface Shell {
  readonly name: string
  readonly properties: Readonly<Record<string, unknown>>
}

/** The tool with which an agent runs commands. OpenAI puts the fields of a tool into `function`, Anthropic does not. */
function shellIn(tools: readonly unknown[]): Shell | undefined {
  for (const tool of tools) {
    const { function: inner } = tool as { readonly function?: object }
    const { name, parameters, input_schema: schema } = (inner ?? tool) as ToolFields
    const { properties = {} } = parameters ?? schema ?? {}
    if (name !== undefined && /^(bash|shell|exec_command)$/.test(name)) return { name, properties }
  }
  return undefined
}

interface ToolFields {
  readonly name?: string
  readonly parameters?: Partial<Shell>
  readonly input_schema?: Partial<Shell>
}

function argumentsOf({ properties }: Shell, mark: string): Readonly<Record<string, unknown>> {
  const command = `seq 1000 1200; echo ${mark}`
  return {
    ...('cmd' in properties ? { cmd: command } : { command }),
    ...('description' in properties && { description: 'Prints a page' }),
  }
}
