import { differingParts } from '@minutebook/experiment/run'
import type { ReactElement } from 'react'
import type { Comparison, Value } from '../api/runs.ts'
import { readable } from '../ui/text.ts'
import { valueText } from '../runs/series.ts'

/** The fields that differ between the two definitions. */
export function Changed({
  changes,
  left,
  right,
}: {
  readonly changes: NonNullable<Comparison['changes']>
  readonly left: string
  readonly right: string
}): ReactElement {
  if (changes.length === 0)
    return (
      <p data-changes="0" className="text-muted">
        <span aria-hidden="true" className="mr-2 font-mono font-semibold text-good">
          =
        </span>
        Both have the same definition and seed.
      </p>
    )
  return (
    <section
      aria-label="What differs in the definitions"
      data-changes={changes.length}
      className="rounded-md border border-line bg-surface"
    >
      <h2 className="flex items-center gap-2 border-b border-line px-3 py-1.5 font-medium">
        <Sign isSame={false} />
        Definition
      </h2>
      <Values
        caption="Fields of the definitions that differ"
        title="Field"
        left={left}
        right={right}
        rows={changes.map(({ path, ...values }) => ({ name: path, ...values }))}
      />
    </section>
  )
}

interface ValuesProps {
  readonly caption: string
  readonly title: string
  readonly left: string
  readonly right: string
  readonly rows: readonly { readonly name: string; readonly left?: Value; readonly right?: Value }[]
}

export function Values({ caption, title, left, right, rows }: ValuesProps): ReactElement {
  return (
    <table className="w-full table-fixed border-b border-line text-[13px] last:border-b-0">
      <caption className="sr-only">{caption}</caption>
      <thead className="text-left text-xs text-muted">
        <tr className="[&>th]:px-3 [&>th]:py-1 [&>th]:font-medium">
          <th scope="col" className="w-1/4">
            {title}
          </th>
          <th scope="col" className="truncate font-mono">
            {left}
          </th>
          <th scope="col" className="truncate font-mono">
            {right}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.name}
            data-variable={row.name}
            className="border-t border-line align-top [&>td]:px-3 [&>td]:py-1 [&>td]:font-mono [&>td]:[overflow-wrap:anywhere]"
          >
            <th scope="row" className="px-3 py-1 text-left font-normal text-muted [overflow-wrap:anywhere]">
              {readable(row.name)}
            </th>
            <td>{shown(row.left, row.right)}</td>
            <td>{shown(row.right, row.left)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A value, shortened so that the difference from the other value is visible. */
function shown(own: Value | undefined, other: Value | undefined): string {
  if (own === undefined) return '–'
  const [part] = differingParts(valueText(own), other === undefined ? '' : valueText(other), 500)
  return readable(part)
}

export function Sign({ isSame }: { readonly isSame: boolean }): ReactElement {
  return (
    <span
      className={`font-mono font-semibold ${isSame ? 'text-good' : 'text-warn'}`}
      aria-label={isSame ? 'the same' : 'differs'}
      role="img"
    >
      {isSame ? '=' : '≠'}
    </span>
  )
}
