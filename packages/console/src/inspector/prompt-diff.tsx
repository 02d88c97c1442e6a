import './prompt-diff.css'
import { useMemo, useState, type ReactElement } from 'react'
import { plural, readable, readableJson } from '../ui/text.ts'
import { Button } from '../ui/ui.tsx'
import { diff, type DiffLine } from './diff.ts'

/** A message of any format. */
export type AnyMessage = Readonly<Record<string, unknown>> & { readonly role: string }

interface PromptDiffProps {
  readonly label: string
  readonly left: readonly AnyMessage[]
  readonly right: readonly AnyMessage[]
  /** What is said of a message that only one of them has, such as "only as recorded". */
  readonly says: { readonly left: string; readonly right: string }
}

/** The difference between two prompts, message by message. */
export function PromptDiff({ label, left, right, says }: PromptDiffProps): ReactElement {
  const lines = useMemo(() => diff(left, right, (message) => JSON.stringify(message)), [left, right])
  const [isWhole, setWhole] = useState(false)
  const counts = {
    left: lines.filter(({ side }) => side === 'left').length,
    right: lines.filter(({ side }) => side === 'right').length,
  }
  return (
    <section aria-label={label} className="space-y-2">
      <p className="text-muted">
        {counts.left + counts.right === 0
          ? 'The same messages.'
          : `${plural(counts.right, 'message', 'messages')} added, ${plural(counts.left, 'message', 'messages')} removed.`}
      </p>
      <ol className="space-y-1">
        {foldedLines(lines, isWhole).map((line, index) =>
          'skipped' in line ? (
            <Skipped key={index} count={line.skipped} onOpen={() => setWhole(true)} />
          ) : (
            <Line key={index} line={line} says={{ both: 'in both', ...says }[line.side]} />
          ),
        )}
      </ol>
    </section>
  )
}

const looks = {
  both: { change: 'same', sign: '=' },
  left: { change: 'removed', sign: '−' },
  right: { change: 'added', sign: '+' },
} as const

function Line({
  line: { side, item },
  says,
}: {
  readonly line: DiffLine<AnyMessage>
  readonly says: string
}): ReactElement {
  const { change, sign } = looks[side]
  return (
    <li data-change={change} className={`diff-${change} rounded-r-md`}>
      <details open={side !== 'both'}>
        <summary className="flex items-baseline gap-2 px-2 py-1 text-xs">
          <span aria-hidden="true" className="font-mono font-semibold">
            {sign}
          </span>
          <span className="sr-only">{says}:</span>
          <span className="font-mono">{item.role}</span>
          <span className="diff-brief min-w-0 truncate text-muted">{readable(textOf(item).slice(0, 160))}</span>
        </summary>
        <pre tabIndex={0} className="max-h-72 overflow-auto px-2 pb-1.5 text-xs break-words whitespace-pre-wrap">
          {readable(textOf(item))}
        </pre>
      </details>
    </li>
  )
}

function Skipped({ count, onOpen }: { readonly count: number; readonly onOpen: () => void }): ReactElement {
  return (
    <li>
      <Button small kind="quiet" onClick={onOpen}>
        Show {plural(count, 'equal message', 'equal messages')}
      </Button>
    </li>
  )
}

/** Folds long ranges of equal messages. */
function foldedLines(
  lines: readonly DiffLine<AnyMessage>[],
  isWhole: boolean,
): readonly (DiffLine<AnyMessage> | { readonly skipped: number })[] {
  if (isWhole) return lines
  const shown: (DiffLine<AnyMessage> | { readonly skipped: number })[] = []
  for (let index = 0; index < lines.length;) {
    const end = lines.findIndex((line, place) => place >= index && line.side !== 'both')
    const alike = (end < 0 ? lines.length : end) - index
    if (alike > 4) shown.push(lines[index]!, { skipped: alike - 2 }, lines[index + alike - 1]!)
    else shown.push(...lines.slice(index, index + alike))
    if (end >= 0) shown.push(lines[end]!)
    index += alike + 1
  }
  return shown
}

/** The text of a message, with everything else as JSON. */
function textOf({ content, ...others }: AnyMessage): string {
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => name !== 'role'))
  const text =
    typeof content === 'string' ? content : content === undefined || content === null ? '' : readableJson(content)
  return [text, Object.keys(rest).length > 0 ? readableJson(rest) : ''].filter((part) => part !== '').join('\n')
}
