import type { ReactElement } from 'react'
import type { DefinitionProblem } from '../api/runs.ts'
import { plural, readable } from '../ui/text.ts'

interface ProblemsProps {
  /** Undefined before the first check. */
  readonly problems: readonly DefinitionProblem[] | undefined
  readonly isChecking: boolean
  readonly isEmpty: boolean
  /** Why the run did not begin, or the definition was not checked. */
  readonly error: Error | null
  readonly onShow: (line: number) => void
}

/** What is wrong with a definition: where, and what to do. */
export function Problems({ problems, isChecking, isEmpty, error, onShow }: ProblemsProps): ReactElement {
  if (error)
    return (
      <p role="alert" className="text-bad">
        {error.message}
      </p>
    )
  if (isEmpty)
    return (
      <p className="text-muted">
        Write who takes part, and what they are asked. Mistakes are shown here, with their line.
      </p>
    )
  if (!problems) return <p className="text-muted">{isChecking ? 'Checking…' : 'Not checked yet.'}</p>
  if (problems.length === 0) return <p className="text-good">✓ This can be run.</p>
  return (
    <div data-problems={problems.length} className="space-y-1">
      <p className="font-medium text-bad">{plural(problems.length, 'problem', 'problems')}</p>
      <ul className="space-y-1">
        {problems.slice(0, most).map((problem, index) => (
          <li key={index}>
            <Problem problem={problem} onShow={onShow} />
          </li>
        ))}
      </ul>
    </div>
  )
}

const most = 50

function Problem({
  problem: { line, column, field, problem, fix },
  onShow,
}: {
  readonly problem: DefinitionProblem
  readonly onShow: (line: number) => void
}): ReactElement {
  return (
    <>
      {line !== undefined && (
        <button
          type="button"
          onClick={() => onShow(line)}
          className="mr-2 rounded px-1 font-mono text-xs text-accent underline underline-offset-2"
          title="Show the line"
        >
          line {line}
          {column !== undefined && `:${column}`}
        </button>
      )}
      {field !== '' && <code className="mr-2">{readable(field)}</code>}
      {readable(problem)}
      {fix !== undefined && fix !== '' && <span className="text-muted">; {readable(fix)}</span>}
    </>
  )
}
