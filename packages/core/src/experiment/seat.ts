import type { ThreadOptions } from '../book/thread-options.ts'
import type { Crew } from './crew.ts'
import type { Begun } from './event.ts'
import type { Experiment } from './experiment.ts'
import { participantTools } from './participant-tools.ts'
import { recordedModel } from './recorded-model.ts'
import type { RunLog } from './run-log.ts'
import { participantThread } from './run-name.ts'

/** A run that is played: its rules, its log, and those who run it. */
export interface Table {
  readonly crew: Crew
  readonly log: RunLog
  readonly experiment: Experiment
  readonly begun: Begun
}

/** What the thread of a participant is opened with: the same for whoever asks and whoever runs the turn. */
export async function seatOptions({ crew, log, experiment, begun }: Table, name: string): Promise<ThreadOptions> {
  const participant = experiment.participants[name]!
  const given = await crew.thread({ run: log.run, name, participant, experiment })
  const own = participantTools({ experiment, participant: name, seed: begun.seed, log, store: crew.store })
  const registered = (given.tools ?? []).filter((tool) => participant.tools?.includes(tool.name) && !own.some((known) => known.name === tool.name))
  const model = begun.answers === undefined || !given.model ? given.model : recordedModel(given.model, crew.store, { from: participantThread(begun.answers, name), into: participantThread(log.run, name) })
  return { clock: crew.clock, journal: false, ...given, model, system: participant.system, tools: [...own, ...registered] }
}
