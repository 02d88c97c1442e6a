import type { Definition, Problem } from '@minutebook/experiment'
import type { Policies } from '../turns/policies.ts'

/** The policies that participants have and that there are not. */
export async function policyProblems(
  { participants }: Pick<Definition, 'participants'>,
  policies: Pick<Policies, 'find' | 'list'>,
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const [name, { policy }] of Object.entries(participants)) {
    if (policy === undefined || (await policies.find(policy))) continue
    const known = (await policies.list()).map((each) => each.name)
    problems.push({
      field: `participants.${name}.policy`,
      problem: `there is no policy "${policy}"`,
      fix: `there are ${[...new Set(known)].slice(0, mostNamed).join(', ')}`,
    })
  }
  return problems
}

const mostNamed = 20
