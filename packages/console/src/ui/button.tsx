import type { ButtonHTMLAttributes, ReactElement } from 'react'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
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
