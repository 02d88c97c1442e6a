import type { ReactElement, ReactNode } from 'react'

export interface BadgeProps {
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
