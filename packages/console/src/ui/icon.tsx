import type { ReactElement } from 'react'

const paths = {
  add: 'M8 3v10M3 8h10',
  back: 'M13 8H3m4-4L3 8l4 4',
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

/** A sign beside a word or in its place; whoever hears the page is told the word. */
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
