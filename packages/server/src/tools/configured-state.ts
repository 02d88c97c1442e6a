import { defineState, MinutebookError, type StateReader } from 'minutebook'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { StateConfig } from '../config/config.ts'

/**
 * The reader of a configured state: it takes the newest result of its tools that fits its schema. Undefined if there is
 * no state of that name.
 */
export function configuredState(states: readonly StateConfig[], name: string): StateReader<unknown> | undefined {
  const config = states.find((state) => state.name === name)
  if (!config) return undefined
  const known = readers.get(config) ?? readerOf(config)
  readers.set(config, known)
  return known
}

export function unknownStateError(): MinutebookError {
  return new MinutebookError(
    'unknown_state',
    'No state with this name is configured.',
    'Add it to states in the settings of the server.',
  )
}

/** Settings never change. */
const readers = new WeakMap<StateConfig, StateReader<unknown>>()

function readerOf(config: StateConfig): StateReader<unknown> {
  const schema: z.ZodType = config.schema ? z.fromJSONSchema(config.schema as never) : z.unknown()
  const tools = Object.fromEntries(config.tools.map((tool) => [tool, { schema }]))
  return defineState<Record<string, z.ZodType>, unknown>({
    name: `states/${config.name}`,
    version: versionOf(config),
    tools,
  })
}

/** A result that was computed under other settings is dropped. */
function versionOf(config: StateConfig): number {
  return createHash('sha256')
    .update(JSON.stringify([config.tools, config.schema]))
    .digest()
    .readUInt32BE()
}
