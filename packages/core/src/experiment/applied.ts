import { checkChanges, environmentOf } from './environment.ts'
import type { Applied, Effect, RunEvent, StepBegun } from './event.ts'
import type { Experiment } from './experiment.ts'
import { factsOf } from './participant-tools.ts'
import { createWork } from './work.ts'

/**
 * What a parallel step did, once all are done: each call in the order of play, on what those before it have left. What can no
 * longer be done is not. Empty in other play, where calls applied as they were made.
 */
export function appliedIn(experiment: Experiment, { step, play, order }: StepBegun, events: readonly RunEvent[], seed: number): readonly Applied[] {
  if (play !== 'parallel') return []
  const work = createWork()
  let environment = environmentOf(events)
  const effects = events.filter((event): event is Effect => event.type === 'effect' && event.step === step && event.status === 'done')
  const inOrder = effects.toSorted((left, right) => order.indexOf(left.participant) - order.indexOf(right.participant) || left.call - right.call)
  return inOrder.flatMap(({ participant, turn, call, tool: name, input, result }): Applied[] => {
    const tool = experiment.tools?.[name]
    if (!tool?.changes) return []
    const place = { step, participant, turn, call }
    const facts = factsOf(seed, place, input, work)
    try {
      const refused = tool.refusal?.(environment, facts())
      if (refused !== undefined) return [{ ...place, refused }]
      const changes = checkChanges(experiment, tool.changes(environment, { ...facts(), result }))
      environment = { ...environment, ...changes }
      return [{ ...place, changes }]
    } catch {
      return [{ ...place, refused: 'this could no longer be done' }]
    }
  })
}
