import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  checkDefinition,
  compileExperiment,
  definitionValue,
  readExperiment,
  toolsOf,
  type Definition,
} from '@minutebook/experiment'
import { localQueue, memoryStore, openBook, type Book, type Model, type ThreadOptions } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { openExperiments, type Board, type Run, type ParticipantSeat, type Value } from '@minutebook/experiment/run'
import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'

/** The experiment of a file, and where it is run: in this process, and in its memory. */
export interface Stage {
  readonly definition: Definition
  readonly book: Book
  begin(run: string, options?: { readonly seed?: number | undefined }): Promise<Run>
  close(): Promise<void>
}

/** `thread`: who speaks for a participant. `changes`: what is otherwise than in the file. */
export async function openStage(
  file: URL,
  thread: (seat: ParticipantSeat) => ThreadOptions,
  changes: Partial<Definition> = {},
): Promise<Stage> {
  const definition = { ...readExperiment(await readFile(file, 'utf8'), { source: fileURLToPath(file) }), ...changes }
  const { tools, close } = await toolsOf(definition, { kind: 'local', folder: fileURLToPath(new URL('.', file)) })
  const store = memoryStore()
  const queue = localQueue(store)
  const book = openBook({ store, queue })
  const experiments = openExperiments({
    store,
    queue,
    book,
    clock: systemClock,
    thread,
    experiment: (begun) => compileExperiment(checkDefinition(begun.definition), { tools }),
  })
  const stop = await book.work(experiments.work)
  return {
    definition,
    book,
    begin: (run, { seed } = {}) =>
      experiments.begin(run, compileExperiment(definition, { tools }), {
        definition: definitionValue(definition),
        seed,
      }),
    close: async () => {
      await stop()
      await close()
    },
  }
}

/** A participant that a model speaks for, with the window that the file gives it, asked as the file says. */
export function seatOf({ participant }: ParticipantSeat, model: Model): ThreadOptions {
  const { name: _, options: __, window = 4096, ...asked } = participant.model
  return { ...asked, model, window }
}

/** The model that the file names, as Ollama has it. */
export function ollamaSeat(seat: ParticipantSeat): ThreadOptions {
  const { name, options = {} } = seat.participant.model
  const client = new Ollama({ host: process.env['OLLAMA_HOST'] ?? 'http://127.0.0.1:11434' })
  return seatOf(seat, ollamaModel(client, { model: name, options }))
}

/** The board of a run when it is over; `tell` is told of each round when that is. */
export async function over(run: Run, tell: (round: Board['rounds'][number]) => void = () => undefined): Promise<Board> {
  let told = 0
  for await (const board of run.watch()) {
    for (const round of board.rounds.filter(({ isOver }) => isOver).slice(told)) {
      tell(round)
      told++
    }
    if (board.status !== 'running') return board
  }
  return run.board()
}

/** A value for people. */
export function shown(value: Value | undefined): string {
  return typeof value === 'number' && !Number.isInteger(value)
    ? value.toFixed(2)
    : typeof value === 'string'
      ? value
      : JSON.stringify(value ?? null)
}
