import { useState } from 'react'
import type { Entry } from '../api/entries.ts'

/** Whether what is kept for the record alone is shown. */
export interface Records {
  readonly isShown: boolean
  readonly toggle: () => void
}

const place = 'minutebook-records'

export function useRecords(): Records {
  const [isShown, setShown] = useState(() => localStorage.getItem(place) === 'shown')
  const toggle = (): void => {
    localStorage.setItem(place, isShown ? 'hidden' : 'shown')
    setShown(!isShown)
  }
  return { isShown, toggle }
}

/** Never in a prompt, and of no use to whoever reads: how turns were set up, asked for again, and sent. */
const kinds: ReadonlySet<Entry['kind']> = new Set(['settings', 'pending', 'retry', 'form', 'revocation', 'event'])

export function isRecord({ kind }: Entry): boolean {
  return kinds.has(kind)
}
