import type { ExperimentTool } from '@minutebook/experiment/run'

/** Who runs a tool that expressions alone cannot. What the definition says goes before what it says itself. */
export type Runner = Partial<ExperimentTool> & Pick<Required<ExperimentTool>, 'run'>

/** By the name of the tool in the experiment. */
export type Runners = Readonly<Record<string, Runner>>
