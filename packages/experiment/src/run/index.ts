export { defineExperiment, problemsOf, type Problem } from './define-experiment.ts'
export { onlyOfModels } from './experiment.ts'
export { policyOf, type PolicyConfig } from './policy-config.ts'
export type {
  CallContext,
  CallFacts,
  CallInput,
  Experiment,
  ExperimentTool,
  Goal,
  Hooks,
  Limits,
  ModelChoice,
  Participant,
  Play,
  Price,
  RoundFacts,
  RoundPlan,
} from './experiment.ts'
export type { Changes, Environment, Value } from './experiment.ts'
export { isOfType, type Variable, type VariableType } from './experiment.ts'
export { statedSeed, type SeatModel } from './model-seed.ts'
export { createWork, seeded, type Random, type Work } from './random.ts'
export {
  openExperiments,
  type BeginOptions,
  type Experiments,
  type ExperimentsOptions,
  type ForkOptions,
} from './experiments.ts'
export type { Run } from './run.ts'
export type { ExperimentRuntime, ParticipantSeat } from './play-turn.ts'
export type {
  Applied,
  Begun,
  Effect,
  Ended,
  ModelCall,
  Outcome,
  Played,
  Recorded,
  RunEvent,
  RoundStart,
  RoundEnd,
  Waiting,
} from './run-event.ts'
export { environmentFor, environmentOf, environmentsOf } from './environment.ts'
export { nextMove, type Move } from './next-move.ts'
export { viewFor } from './participant-view.ts'
export { boardOf, type Board, type Cell, type CellEffect, type Column, type Lane } from './board.ts'
export { gapsOf, gapTexts, type Gaps } from './board.ts'
export { tellingsOf, type Heard } from './tellings.ts'
export {
  comparisonOf,
  roundHadOtherEffect,
  turnHadOtherEffect,
  type ComparedRun,
  type Comparison,
  type Sameness,
  type RoundComparison,
  type TurnComparison,
  type TurnSide,
} from './comparison.ts'
export { differencesOf, differingParts, type FieldDifference } from './differences.ts'
export { descriptionIn, fieldOf, goalLinesOf, type GoalLine } from './goal-line.ts'
export { courseOf, type RunCourse, type RunOutcome } from './outcome.ts'
export {
  leadingVariables,
  outcomeTable,
  type OutcomeRow,
  type OutcomeTable,
  type OutcomeVariable,
  type RunSeries,
  type TableRun,
} from './outcome-table.ts'
export {
  outcomeColumns,
  outcomeGroups,
  spreadOf,
  type OutcomeColumn,
  type OutcomeGroup,
  type Spread,
} from './outcome-columns.ts'
export { csvLine, outcomeCsv, seriesCsv } from './csv.ts'
export { standingOf, isOver, type RunStanding, type RunStatus } from './next-move.ts'
export type { Spending } from './next-move.ts'
export type { Manifest, ParticipantManifest, SentSettings } from './run.ts'
export { recordedModel, answersIn, type RecordedAnswer } from './recorded-model.ts'
export { checkRunName, participantThread, placeOfThread, runThread } from './run-log.ts'
