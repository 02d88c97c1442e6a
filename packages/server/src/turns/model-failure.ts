import { MinutebookError, type Model, type ModelEvent } from 'minutebook'
import { overflowIn, type ContextOverflow } from 'minutebook/wire'
import { parseObject } from '../http/json.ts'
import type { MissingTool } from '../tools/tools.ts'
import type { ChosenModel } from './models.ts'
import { refusalError, type Refusal } from '../http/reply.ts'

/** The model did not answer. These errors never repeat what an upstream said: it may quote the prompt, or a key. */
export function modelRefusedError(status: number, body: string, model: string): MinutebookError {
  const told = overflowIn(parseObject(body.slice(0, longest)))
  if (told) return contextOverflowError(model, told)
  if (status === 404)
    return new MinutebookError(
      'model_refused',
      `The upstream does not have model "${model}" (status 404).`,
      'Install the model there, or name another one, and retry the turn.',
      { model, status },
    )
  if (status < 500)
    return new MinutebookError(
      'model_refused',
      `The upstream refused the call of model "${model}" with status ${status}.`,
      'Look into the log of the upstream, fix the cause, and retry the turn.',
      { model, status },
    )
  return new MinutebookError(
    'model_error',
    `The upstream of model "${model}" failed with status ${status}.`,
    'Retry the turn. If it fails again, look into the log of the upstream.',
    { model, status },
  )
}

/** An error in the middle of an answer. */
export function modelFailedError(chunk: string, model: string): MinutebookError {
  const told = overflowIn(parseObject(chunk.slice(0, longest)))
  if (told) return contextOverflowError(model, told)
  return new MinutebookError(
    'model_error',
    `The upstream of model "${model}" failed in the middle of its answer.`,
    'Retry the turn. If it fails again, look into the log of the upstream.',
    { model },
  )
}

export function noAnswerError(
  { code, problem, fix }: Pick<Refusal, 'code' | 'problem' | 'fix'>,
  model: string,
): MinutebookError {
  return refusalError(
    { code: code === 'upstream_unreachable' ? 'model_unreachable' : 'model_cut', problem, fix },
    { model },
  )
}

export function modelAbortedError(model: string): MinutebookError {
  return new MinutebookError(
    'model_aborted',
    `The call of model "${model}" was aborted.`,
    'Retry the turn to ask again.',
    {
      model,
    },
  )
}

/** Used for a model that cannot be called: every call fails, and no upstream is asked. */
export function failing({ model, wire }: Pick<Model, 'model' | 'wire'>, failure: () => MinutebookError): Model {
  // oxlint-disable-next-line require-yield
  const call = async function* (): AsyncGenerator<ModelEvent> {
    throw failure()
  }
  return Object.assign(call, { ...(model !== undefined && { model }), ...(wire && { wire }) })
}

/** Used for a model with a missing tool. */
export function withoutTool(
  { model, protocol }: Pick<ChosenModel, 'model' | 'protocol'>,
  missing: MissingTool,
  onCall: () => void,
): Model {
  return failing({ model, wire: protocol }, () => {
    onCall()
    return missingToolError(missing)
  })
}

function missingToolError({ tool, server }: MissingTool): MinutebookError {
  const [why, fix] =
    server === undefined
      ? [
          'is not registered on the instance that ran the turn.',
          'Register it in the settings (tools, mcp), or remove it from the setup of the thread, and retry the turn.',
        ]
      : [
          `belongs to the MCP server "${server}", which does not start or does not answer.`,
          'Fix the MCP server (minutebook doctor checks it), and retry the turn.',
        ]
  return new MinutebookError('tool_missing', `The tool "${tool}" ${why}`, fix, { tool, server })
}

function contextOverflowError(model: string, told: ContextOverflow): MinutebookError {
  return new MinutebookError(
    'context_overflow',
    `The prompt is longer than the window of model "${model}".`,
    'Set the real window of the model in models, or in the setup of the thread.',
    { model, told },
  )
}

const longest = 65_536
