import type { Profile } from '../compiler/profile.ts'
import type { CompileOptions } from '../compiler/settings.ts'
import type { Clock } from '../log/clock.ts'
import { MinutebookError } from '../log/error.ts'
import { sha256 } from '../log/hash.ts'
import type { WindowSource } from '../models/discover-window.ts'
import type { Model, ToolSchema } from '../models/model.ts'
import { callSettings, settingsText } from '../receipts/call-settings.ts'
import { createPrompter } from '../receipts/prompter.ts'
import type { WindowShortfall } from '../receipts/receipt.ts'
import { estimator } from '../tokens/estimator.ts'
import { createMeter } from '../tokens/prediction.ts'
import type { NoteReading } from '../truncation/truncation.ts'
import { noteInstruction, emptyNoteTool, noteTool } from '../turns/notes.ts'
import { schemasOf, type Tool } from '../turns/tool.ts'
import { recounting, type Fitting, type TurnConfig } from '../turns/turn-run.ts'

/** How the turns of a thread are run. Without a model or a window it can be read, not spoken to. */
export interface ThreadOptions extends Partial<Omit<CompileOptions, 'tools' | 'window'>> {
  /** The model's window in tokens, prompt and answer together. */
  readonly window?: number | undefined
  /**
   * Who says so, for the receipts. With `assumed` a relay sends what a client sends unchanged, however long that is.
   */
  readonly windowSource?: WindowSource | undefined
  /** If somebody asked for a larger window than this: recorded with every model call, so that people can see it. */
  readonly shortfall?: WindowShortfall | undefined
  readonly model?: Model | undefined
  readonly tools?: readonly Tool[] | undefined
  /** Stands first in every prompt. Where it changes, the new text is recorded and used from then on. */
  readonly system?: string | undefined
  /** Gives entries their time and tools their timeouts. Default: the machine's, `systemClock` of `minutebook/clock`. */
  readonly clock?: Clock | undefined
  /**
   * `block`: the model is asked to end its answers with a note to self, which is taken out and kept; `tool`: it gets a
   * `note_to_self` tool; `off` unless told.
   */
  readonly notes?: 'off' | 'block' | 'tool' | undefined
  /** Whether a hidden journal entry says after each turn what its tools did; it does unless told. */
  readonly journal?: boolean | undefined
  /** Model calls in one turn, at most: 32 unless told. */
  readonly steps?: number | undefined
  /**
   * Milliseconds after which a turn that has no answer is stopped, counted from when its message was recorded.
   */
  readonly deadline?: number | undefined
  /** Milliseconds after which a model call is given up. */
  readonly callTimeout?: number | undefined
  /**
   * How many entries come before another checkpoint is kept, from which the next prompt of a long thread is made
   * without reading what was before (with recall off). As many as one holds unless told, and 64 at least; Infinity:
   * none is kept.
   */
  readonly checkpointEvery?: number | undefined
  /**
   * About how many characters of the thread may be held in memory; images count as they are sent. What would be more is
   * refused with `thread_too_large`. Default: any number.
   */
  readonly sizeLimit?: number | undefined
  /**
   * Told what each model call sent and read: whether its prompt was cut stands in its receipt. See `createReadings`.
   * Default: nobody looks.
   */
  readonly note?: NoteReading | undefined
}

/** What a thread is opened with once the book's own options are in it. */
export interface OpenOptions extends ThreadOptions {
  readonly clock: Clock
}

/**
 * How a thread's relays are run: with the client's tools as they came, and with room for the answer from the beginning.
 */
export function relayConfigOf(options: OpenOptions, tools: readonly ToolSchema[]): TurnConfig {
  if (options.notes === 'tool')
    throw new MinutebookError(
      'notes_by_tool',
      'A relay is one model call, and a model that leaves a note by tool must be asked on; open the thread with notes "block" or "off".',
    )
  const reserve = options.reserve ?? (options.window === undefined ? undefined : Math.floor(options.window / 8))
  return turnConfigOf({ ...options, reserve }, [], tools)
}

export function turnConfigOf(
  options: OpenOptions,
  tools: readonly Tool[],
  schemas: readonly ToolSchema[] = schemasOf(tools, options.notes === 'tool' ? [noteTool] : []),
): TurnConfig {
  const {
    model,
    window,
    clock,
    notes = 'off',
    journal = true,
    steps = 32,
    deadline,
    callTimeout,
    checkpointEvery: every,
    shortfall,
    windowSource,
    note,
  } = options
  if (!model) throw missing('model', 'a function that calls one, such as ollamaModel(…) of minutebook/ollama')
  if (window === undefined) throw missing('window', 'the number of tokens that the model takes')
  const { counter, digesters, policy, reserve } = options
  const profile = { ...wireProfiles[model.wire ?? 'none'], ...options.profile }
  const compiling = { window, counter, digesters, policy, profile, reserve, tools: schemas }
  const settings = callSettings(model, compiling, schemas)
  const text = settingsText(settings)
  const hash = sha256(text)
  return {
    model,
    tools: notes === 'tool' ? [...tools, emptyNoteTool] : tools,
    settings,
    settingsText: text,
    settingsHash: hash,
    clock,
    notes,
    journal,
    steps,
    deadline,
    callTimeout,
    shortfall,
    reading: note && { note, meter: createMeter(counter ?? estimator), isEstimated: counter?.scales !== undefined },
    prompter: createPrompter(compiling, settings, { settingsText: text, settingsHash: hash, every }),
    windowSource,
    refitted: (fitting) => turnConfigOf({ ...options, ...refitting(fitting, options) }, tools, schemas),
  }
}

type Refitting = Required<Pick<ThreadOptions, 'window' | 'windowSource' | 'counter'>> & Pick<ThreadOptions, 'reserve'>

/** What changes for a window that a server told when it refused a prompt. */
export function refitting(fitting: Fitting, { counter = estimator, reserve }: ThreadOptions): Refitting {
  const { window } = fitting
  const kept = fitting.reserve ?? (reserve === undefined ? undefined : Math.min(reserve, Math.floor(window / 2)))
  return {
    window,
    windowSource: 'refusal',
    counter: recounting(fitting, counter),
    ...(kept !== undefined && { reserve: kept }),
  }
}

/** What a protocol makes of arguments is what must be counted. */
const wireProfiles: Readonly<Record<NonNullable<Model['wire']> | 'none', Profile>> = {
  ollama: { argumentsAs: 'object' },
  openai: { argumentsAs: 'string' },
  none: {},
}

/** The system text, with what a model needs to be told about notes. */
export function systemOf({ system, notes }: ThreadOptions): string | undefined {
  if (notes !== 'block') return system
  return system === undefined || system === '' ? noteInstruction : `${system}\n\n${noteInstruction}`
}

function missing(what: string, fix: string): MinutebookError {
  return new MinutebookError(
    `no_${what}`,
    `This thread has no ${what} and cannot be spoken to; open it with { ${what} }: ${fix}.`,
  )
}
