import { useState, type ReactElement } from 'react'
import { grouped, readable } from './text.ts'

/**
 * A value of JSON, folded. Only what is open is drawn, and of a long list only the beginning, so a value of any size
 * costs little.
 */
export function JsonTree({ value, label }: { readonly value: unknown; readonly label: string }): ReactElement {
  return (
    <ul aria-label={label} dir="ltr" className="font-mono text-xs">
      <Node value={value} depth={0} />
    </ul>
  )
}

interface NodeProps {
  /** Its name in an object, or its place in a list. Default: it has none. */
  readonly name?: string | undefined
  readonly value: unknown
  readonly depth: number
}

function Node({ name, value, depth }: NodeProps): ReactElement {
  const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
  const [isOpen, setOpen] = useState(depth < 2 && size <= fewest)
  if (typeof value !== 'object' || value === null || size === 0)
    return (
      <li className="pl-4 [overflow-wrap:anywhere] whitespace-pre-wrap">
        <Name name={name} />
        <Leaf value={value} />
      </li>
    )
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="min-h-6 rounded-md text-left [overflow-wrap:anywhere] hover:bg-sunken"
      >
        <span aria-hidden="true" className="inline-block w-4 text-muted">
          {isOpen ? '▾' : '▸'}
        </span>
        <Name name={name} />
        <span className="text-muted">{Array.isArray(value) ? `[${grouped(size)}]` : `{${grouped(size)}}`}</span>
      </button>
      {isOpen && <Children value={value} depth={depth + 1} />}
    </li>
  )
}

function Children({ value, depth }: { readonly value: object; readonly depth: number }): ReactElement {
  const [shown, setShown] = useState(page)
  const names = Object.keys(value)
  const fields = value as Readonly<Record<string, unknown>>
  if (depth > deepest)
    return <p className="pl-8 text-muted">It is nested deeper than can be shown here: see it as text.</p>
  return (
    <ul className="ml-2 border-l border-line pl-2">
      {names.slice(0, shown).map((name) => (
        <Node key={name} name={name} value={fields[name]} depth={depth} />
      ))}
      {names.length > shown && (
        <li>
          <button
            type="button"
            onClick={() => setShown(shown + page)}
            className="min-h-6 rounded-md px-1 text-muted underline hover:text-ink"
          >
            Show {grouped(Math.min(page, names.length - shown))} more of {grouped(names.length)}
          </button>
        </li>
      )}
    </ul>
  )
}

/** What has more is folded at first. */
const fewest = 20
const page = 50
const deepest = 24

function Name({ name }: { readonly name: string | undefined }): ReactElement {
  return name === undefined ? <></> : <span className="text-muted">{readable(name.slice(0, longest))}: </span>
}

function Leaf({ value }: { readonly value: unknown }): ReactElement {
  const [length, setLength] = useState(longest)
  if (typeof value !== 'string') return <span className="text-accent">{JSON.stringify(value)}</span>
  return (
    <>
      <bdi>{readable(value.slice(0, length))}</bdi>
      {value.length > length && (
        <button
          type="button"
          onClick={() => setLength(length * 10)}
          className="min-h-6 rounded-md px-1 text-muted underline hover:text-ink"
        >
          Show more ({grouped(value.length - length)} characters)
        </button>
      )}
    </>
  )
}

/** Characters of a text. */
const longest = 400

/**
 * The object or list that a text is the JSON of. Undefined for any other text, and for one that is too long to look at.
 *
 * @example
 * treeIn('{"low":-1}') // { low: -1 }
 */
export function treeIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > mostToRead) return undefined
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const mostToRead = 1_000_000
