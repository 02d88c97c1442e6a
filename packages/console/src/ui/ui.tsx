import { useId, useRef, useState, type ButtonHTMLAttributes, type ReactElement, type ReactNode } from 'react'
import { agoOf, grouped, readable } from './text.ts'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'plain' | 'primary' | 'quiet' | 'danger'
  readonly small?: boolean
}

const kinds = {
  plain: 'border border-line bg-surface hover:bg-sunken',
  primary: 'border border-accent bg-accent text-on-accent hover:brightness-110',
  quiet: 'border border-transparent text-muted hover:bg-sunken hover:text-ink',
  danger: 'border border-bad text-bad hover:bg-bad-soft',
}

export function Button({
  kind = 'plain',
  small = false,
  className = '',
  type = 'button',
  ...rest
}: ButtonProps): ReactElement {
  const size = small ? 'min-h-6 px-1.5 py-0.5 text-xs' : 'px-3 py-1.5 text-[13px]'
  return (
    <button
      type={type}
      className={`inline-flex items-center gap-1.5 rounded-md font-medium whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-50 ${size} ${kinds[kind]} ${className}`}
      {...rest}
    />
  )
}

interface BadgeProps {
  readonly tone?: 'plain' | 'warn' | 'bad' | 'good' | 'accent'
  readonly title?: string | undefined
  readonly children: ReactNode
}

const tones = {
  plain: 'border-line text-muted',
  warn: 'border-warn/40 bg-warn-soft text-warn',
  bad: 'border-bad/40 bg-bad-soft text-bad',
  good: 'border-good/40 text-good',
  accent: 'border-accent/40 bg-accent-soft text-accent',
}

/** A short word about something; never colour alone. */
export function Badge({ tone = 'plain', title, children }: BadgeProps): ReactElement {
  return (
    <span
      title={title}
      className={`inline-block rounded border px-1 text-[11px] leading-4 font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  )
}

const paths = {
  add: 'M8 3v10M3 8h10',
  back: 'M13 8H3m4-4L3 8l4 4',
  commands: 'M2 4h12M2 8h12M2 12h12',
  closed: 'M6 3l5 5-5 5',
  open: 'M3 6l5 5 5-5',
  previous: 'M10 3L5 8l5 5',
  next: 'M6 3l5 5-5 5',
  close: 'M4 4l8 8M12 4l-8 8',
  light:
    'M8 1v2M8 13v2M1 8h2M13 8h2M3.2 3.2l1.4 1.4M11.4 11.4l1.4 1.4M3.2 12.8l1.4-1.4M11.4 4.6l1.4-1.4M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  dark: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  system: 'M2 3h12v8H2zM6 14h4M8 11v3',
} as const

/** A small picture. Screen readers skip it, so the word must be on the page as well. */
export function Icon({ name, size = 14 }: { readonly name: keyof typeof paths; readonly size?: number }): ReactElement {
  return (
    <svg
      viewBox="0 0 16 16"
      width={size}
      height={size}
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      <path d={paths[name]} />
    </svg>
  )
}

/** How long ago something was. The tooltip has the full time. */
export function TimeAgo({ time }: { readonly time: string }): ReactElement {
  return (
    <time dateTime={time} title={new Date(time).toLocaleString()} className="shrink-0 text-xs text-muted">
      {agoOf(Date.parse(time), Date.now())}
    </time>
  )
}

/** Plain text. A long one is shown in parts, with a button for more. */
export function PlainText({ text }: { readonly text: string }): ReactElement {
  const [length, setLength] = useState(step)
  const rest = text.length - length
  return (
    <>
      <pre
        tabIndex={0}
        dir="auto"
        className="max-h-[32rem] [unicode-bidi:plaintext] overflow-auto font-mono text-[13px] whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {readable(text.slice(0, length))}
      </pre>
      {rest > 0 && (
        <Button small onClick={() => setLength(length + step)}>
          Show more ({grouped(rest)} characters)
        </Button>
      )}
    </>
  )
}

const step = 20_000

interface StripTitleProps {
  readonly title: string
  /** What its colours and patterns mean. */
  readonly legend?: readonly { readonly look: string; readonly name: string }[]
  readonly children?: ReactNode
}

/** The title of a strip, and its legend. `look`: the class of a small box or line that looks like the strip does. */
export function StripTitle({ title, legend = [], children }: StripTitleProps): ReactElement {
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-3 text-xs">
      <h3 className="text-[13px] font-semibold">{title}</h3>
      {legend.length > 0 && (
        <ul aria-label={`Legend: ${title}`} className="flex flex-wrap gap-x-3 text-muted">
          {legend.map(({ look, name }) => (
            <li key={name} className="flex items-center gap-1">
              <span aria-hidden="true" className={`inline-block size-3 ${look}`} />
              {name}
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  )
}

interface MenuProps {
  readonly label: string
  readonly children: ReactNode
}

/** A button that opens a small box with seldom used buttons. The browser closes it on Escape and on a click elsewhere. */
export function Menu({ label, children }: MenuProps): ReactElement {
  const id = useId()
  const button = useRef<HTMLSpanElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const place = (): void => {
    const { bottom = 0, right = 0 } = button.current?.getBoundingClientRect() ?? {}
    Object.assign(box.current?.style ?? {}, { top: `${bottom + 4}px`, right: `${innerWidth - right}px` })
  }
  return (
    <span ref={button}>
      <Button kind="quiet" small popoverTarget={id} aria-label={label} title={label} onClick={place}>
        ⋯
      </Button>
      <div
        ref={box}
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        className="fixed inset-auto m-0 min-w-36 rounded-md border border-line bg-surface p-1 text-ink shadow-xl [&:popover-open]:flex [&:popover-open]:flex-col [&:popover-open]:items-stretch"
      >
        {children}
      </div>
    </span>
  )
}
