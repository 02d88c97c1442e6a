import type { Profile } from '../compiler/profile.ts'
import type { CompileOptions } from '../compiler/settings.ts'
import type { Clock } from '../log/time.ts'
import { MinutebookError } from '../log/error.ts'
import { checkList, checkNames, invalidOptionsError, shown, type OptionNames } from '../log/options.ts'
import type { Metadata } from '../log/metadata.ts'
import type { OpenCall } from '../log/open-call.ts'
import type { NewRecord } from '../log/store.ts'
import { sha256 } from '#sha256'
import { assumedWindow, type WindowSource } from '../models/server-window.ts'
import type { Model, ModelRequest, ToolSchema } from '../models/model.ts'
import { createPrompter } from '../receipts/prompter.ts'
import { callSettings, settingsText, type Receipt, type WindowLimit } from '../receipts/receipt.ts'
import { estimator } from '../tokens/estimator.ts'
import { createMeter } from '../tokens/prediction.ts'
import type { ReadObserver } from '../receipts/truncation.ts'
import { askOptions, recordableOptions, type AskOptions } from '../turns/model-options.ts'
import { noteInstruction, emptyNoteTool, noteTool } from '../turns/notes.ts'
import { schemasOf, type Tool } from '../turns/tool.ts'
import { recounting, type ToolFailure, type TurnConfig, type WindowOptions } from '../turns/turn-run.ts'
import type { ThreadContext } from './thread.ts'

/** How the turns of a thread run. A thread without a model can be read, but not answered. */
export interface ThreadOptions extends Partial<Omit<CompileOptions, 'tools' | 'window'>>, AskOptions {
  /**
   * The context window of the model in tokens, for prompt and answer together. Default: what the model's server says, or
   * 32,768 if it does not say.
   */
  readonly window?: number | undefined
  /**
   * Where the size of the window comes from. It is recorded in the receipts. With `assumed`, a relay sends the client's
   * messages unchanged, however long they are.
   */
  readonly windowSource?: WindowSource | undefined
  /**
   * Set if a larger window was requested than `window`. It is recorded with every model call, so that people can see
   * it.
   */
  readonly shortfall?: WindowLimit | undefined
  /** Calls the model that answers, such as `ollamaModel(…)` of `minutebook/ollama`. */
  readonly model?: Model | undefined
  /** The tools that the model may call. Default: none. */
  readonly tools?: readonly Tool[] | undefined
  /**
   * Called with what a tool threw, and with the call. The model is told the message of the error, and the turn goes on.
   * Default: nothing is called.
   */
  readonly onError?: ((error: unknown, about: ToolFailure) => void) | undefined
  /**
   * What to keep about the thread, such as its owner. It is written together with the first entry of a new thread. A
   * thread that exists keeps its own metadata: use `thread.setMetadata`. Default: none.
   */
  readonly metadata?: Metadata | undefined
  /**
   * On whose behalf the model is called, such as the name of a key: `store.figures` sums calls by it. It is in no entry
   * and in no prompt. Default: the empty text.
   */
  readonly owner?: string | undefined
  /** The system text, first in every prompt. If it changes, the new text is recorded and used from then on. */
  readonly system?: string | undefined
  /**
   * The time of entries, and the timer of deadlines and timeouts. Default: the machine's, `systemClock` of
   * `minutebook/clock`.
   */
  readonly clock?: Clock | undefined
  /**
   * Makes the thread of a turn the current one for all code that runs in the turn. Pass `threadContext` of
   * `minutebook/context` to use `currentThread()`. Default: no thread is current.
   */
  readonly threadContext?: ThreadContext | undefined
  /**
   * How the model leaves notes to itself. `block`: it is asked to end each answer with `[NOTE TO SELF: …]`, which is
   * removed from the answer and recorded, also if the model writes it in another form. `{ form: 'block', exact: true }`:
   * any other form is text. `tool`: it gets a tool `note_to_self`. Default: `off`.
   */
  readonly notes?: 'off' | 'block' | 'tool' | { readonly form: 'block'; readonly exact: boolean } | undefined
  /**
   * Record after each turn what its tools did, as a hidden journal entry. A prompt has it once the calls themselves are
   * no longer in it. Default: true.
   */
  readonly journal?: boolean | undefined
  /** The highest number of model calls in one turn. Default: 32. */
  readonly steps?: number | undefined
  /**
   * Milliseconds after which a turn without an answer is stopped, counted from the moment its message was recorded.
   * Default: no limit.
   */
  readonly deadline?: number | undefined
  /** Milliseconds after which a model call is given up. Default: no limit. */
  readonly callTimeout?: number | undefined
  /**
   * How many entries are written before another checkpoint is kept. From a checkpoint, the next prompt of a long thread
   * is made without reading what came before it. Default: as many as the checkpoint itself holds, and at least 64.
   * `Infinity`: no checkpoints.
   */
  readonly checkpointEvery?: number | undefined
  /**
   * The approximate number of characters of the thread that may be held in memory. Images count with the size in which
   * they are sent. A message that would exceed it is refused with `thread_too_large`. Default: no limit.
   */
  readonly sizeLimit?: number | undefined
  /**
   * Called after each model call with what was sent and what the server says it has read. Returns whether the server
   * truncated the prompt, which is recorded in the receipt. Default: no such check.
   */
  readonly onUsage?: ReadObserver | undefined
  /**
   * Called before each model call. Returns what the same server and model answered since the thread's previous call. It
   * is recorded in the receipt, because it may be why the server's cache missed. Default: that is not known.
   */
  readonly answeredMeanwhile?: ((request: Pick<ModelRequest, 'messages' | 'tools'>) => Receipt['between']) | undefined
  /**
   * Returns records that are written together with calls that begin to wait for a decision, such as a list of whom to
   * tell. So none is forgotten if the process dies. Default: none.
   */
  readonly waitRecords?: ((calls: readonly OpenCall[]) => readonly NewRecord[]) | undefined
}

/** The names of the options above. */
export const threadOptions: OptionNames<ThreadOptions> = {
  ...askOptions,
  window: true,
  reserve: true,
  policy: true,
  digesters: true,
  counter: true,
  profile: true,
  windowSource: true,
  shortfall: true,
  model: true,
  tools: true,
  onError: true,
  metadata: true,
  owner: true,
  system: true,
  clock: true,
  threadContext: true,
  notes: true,
  journal: true,
  steps: true,
  deadline: true,
  callTimeout: true,
  checkpointEvery: true,
  sizeLimit: true,
  onUsage: true,
  answeredMeanwhile: true,
  waitRecords: true,
}

/** Throws `invalid_options` if an option is unknown, or has a value that would fail only later, or in silence. */
export function checkThreadOptions(
  taker: string,
  options: ThreadOptions,
  known: Readonly<Record<string, true>> = threadOptions,
): void {
  checkNames(taker, options, known)
  const { model, notes, tools } = options
  checkList('tools', tools)
  if (model !== undefined && typeof model !== 'function')
    throw invalidOptionsError(
      'model',
      `is ${shown(model)}, and must be a function that calls one`,
      `Pass ollamaModel(…) of minutebook/ollama, openAiModel(…) of minutebook/openai, or a function of your own.`,
    )
  if (notes !== undefined && !(typeof notes === 'object' ? notes?.form === 'block' : noteForms.has(notes)))
    throw invalidOptionsError(
      'notes',
      `is ${shown(notes)}`,
      "Pass 'off', 'block', 'tool' or { form: 'block', exact: true }.",
    )
}

const noteForms: ReadonlySet<unknown> = new Set(['off', 'block', 'tool'])

/** The options of a thread after those of the book are merged in. */
export interface OpenOptions extends ThreadOptions {
  readonly clock: Clock
}

/**
 * The configuration of a thread's relays: with the tools of the client, and with a reserve for the answer even if the
 * options name none.
 */
export function relayConfigOf(options: OpenOptions, tools: readonly ToolSchema[]): TurnConfig {
  if (options.notes === 'tool')
    throw new MinutebookError(
      'notes_by_tool',
      'A relay makes one model call, but a model that leaves a note by tool needs a second one to answer.',
      'Open the thread with notes "block" or "off".',
    )
  const reserve = options.reserve ?? (options.window === undefined ? undefined : Math.floor(options.window / 8))
  return turnConfigOf({ ...options, ...nothingAsked, reserve }, [], tools)
}

/** The client of a relay asks the model itself. */
const nothingAsked: AskOptions = { temperature: undefined, seed: undefined, stop: undefined, output: undefined }

/**
 * Turns options into the configuration of a turn. Throws `no_model` if the thread can only be read. Without a window the
 * configuration has an assumed one; `discovered` then asks the model's server.
 */
export function turnConfigOf(
  options: OpenOptions,
  tools: readonly Tool[],
  schemas: readonly ToolSchema[] = schemasOf(tools, options.notes === 'tool' ? [noteTool] : []),
): TurnConfig {
  const {
    model,
    window = assumedWindow,
    clock,
    notes,
    journal = true,
    steps = 32,
    deadline,
    callTimeout,
    checkpointEvery: every,
    shortfall,
    windowSource = options.window === undefined ? 'assumed' : undefined,
    onUsage,
    answeredMeanwhile = () => undefined,
    waitRecords = () => [],
    owner = '',
    onError,
  } = options
  if (!model) throw noModelError()
  const { counter, digesters, policy, reserve } = options
  const profile = { ...wireProfiles[model.wire ?? 'none'], ...options.profile }
  const compiling = { window, counter, digesters, policy, profile, reserve, tools: schemas }
  const settings = callSettings(model, compiling, schemas, recordableOptions(options))
  const text = settingsText(settings)
  const hash = sha256(text)
  const config: TurnConfig = {
    model,
    tools: notes === 'tool' ? [...tools, emptyNoteTool] : tools,
    settings,
    settingsText: text,
    settingsHash: hash,
    clock,
    notes: noteFormOf(notes),
    journal,
    steps,
    deadline,
    callTimeout,
    owner,
    onError: quietly(onError),
    shortfall,
    between: answeredMeanwhile,
    waitRecords,
    reading: onUsage && {
      note: onUsage,
      meter: createMeter(counter ?? estimator),
      isEstimated: counter?.scales !== undefined,
    },
    prompter: createPrompter(compiling, settings, { settingsText: text, settingsHash: hash, every }),
    windowSource,
    refitted: (fitting) => turnConfigOf({ ...options, ...refitting(fitting, options) }, tools, schemas),
    discovered: async () => {
      // If the server cannot be asked, the call will say so.
      const found = options.window === undefined ? await model.window?.().catch(() => undefined) : undefined
      if (found?.window === undefined) return config
      return turnConfigOf({ ...options, window: found.window, windowSource: found.source }, tools, schemas)
    },
  }
  return config
}

type Refitting = Required<Pick<ThreadOptions, 'window' | 'windowSource' | 'counter'>> & Pick<ThreadOptions, 'reserve'>

/** The options that change after a server refused a prompt and named its window. */
export function refitting(fitting: WindowOptions, { counter = estimator, reserve }: ThreadOptions): Refitting {
  const { window } = fitting
  const kept = fitting.reserve ?? (reserve === undefined ? undefined : Math.min(reserve, Math.floor(window / 2)))
  return {
    window,
    windowSource: fitting.source ?? 'refusal',
    counter: recounting(fitting, counter),
    ...(kept !== undefined && { reserve: kept }),
  }
}

/**
 * What each protocol demands. Tokens are counted in the form in which it writes the arguments of tool calls. Many
 * providers of the AI SDK refuse a system message that is not at the beginning, and Anthropic's messages have no such
 * role.
 */
const wireProfiles: Readonly<Record<NonNullable<Model['wire']> | 'none', Profile>> = {
  anthropic: { argumentsAs: 'object', onlyTheirSystem: true, needsUser: true },
  ollama: { argumentsAs: 'object' },
  openai: { argumentsAs: 'string' },
  responses: { argumentsAs: 'string' },
  sdk: { systemFirstOnly: true },
  none: {},
}

/** The system text, followed by the instruction about notes if notes are on. */
export function systemOf({ system, notes }: ThreadOptions): string | undefined {
  if (notes === undefined || notes === 'off' || notes === 'tool') return system
  return system === undefined || system === '' ? noteInstruction : `${system}\n\n${noteInstruction}`
}

/** Which notes are removed from answers. */
function noteFormOf(notes: ThreadOptions['notes'] = 'off'): TurnConfig['notes'] {
  if (notes === 'off') return 'off'
  return typeof notes === 'object' && notes.exact ? 'exact' : 'lenient'
}

/** A hook that fails must not fail the turn. */
function quietly(hook: ThreadOptions['onError']): TurnConfig['onError'] {
  return (error, about) => {
    try {
      hook?.(error, about)
    } catch {
      // The hook's own failure. The turn goes on.
    }
  }
}

function noModelError(): MinutebookError {
  return new MinutebookError(
    'no_model',
    'This thread has no model, so it can be read but not answered.',
    'Open it with { model }: a function that calls one, such as ollamaModel(…) of minutebook/ollama.',
  )
}
