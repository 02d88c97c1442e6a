import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { profileNamed, profiles, type Changes, type Preset } from './changes.ts'

/** What the lab shows: a call, an entry to bring back, and the settings that are not as recorded. */
export interface LabView {
  readonly call?: string | undefined
  readonly entry?: string | undefined
  readonly changes: Changes
}

/** The same in an address: ids, numbers, and names of presets and profiles. */
export interface LabSearch {
  readonly call?: string | undefined
  readonly entry?: string | undefined
  readonly window?: number | undefined
  readonly reserve?: number | undefined
  readonly preset?: Preset | undefined
  readonly verbatim?: number | undefined
  readonly outline?: number | undefined
  readonly recall?: number | undefined
  readonly notes?: number | undefined
  readonly profile?: string | undefined
}

/** What an address says that the lab shows. A profile that there is not is dropped. */
export function viewOf({ call, entry, profile, ...rest }: LabSearch): LabView {
  const settings = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as Changes
  const chosen = profile !== undefined && Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
  return { call, entry, changes: { ...settings, ...(chosen && { profile: chosen }) } }
}

/**
 * The parameters of an address that shows this again.
 *
 * @example
 * searchOf({ changes: { window: 4096, profile: {} } }) // { window: 4096, profile: 'everything' }
 */
export function searchOf({ call, entry, changes }: LabView): LabSearch {
  const { profile, ...settings } = changes
  return {
    ...(call !== undefined && { call }),
    ...(entry !== undefined && { entry }),
    ...settings,
    ...(profile !== undefined && { profile: profileNamed(profile) }),
  }
}

const names = [
  'call',
  'entry',
  'window',
  'reserve',
  'preset',
  'verbatim',
  'outline',
  'recall',
  'notes',
  'profile',
] as const satisfies readonly (keyof LabSearch)[]

interface LabAddress {
  readonly view: LabView
  readonly show: (next: LabView) => void
  /** The whole address of what is shown, for another person. */
  readonly link: (call: string) => string
}

/**
 * What the lab shows, kept in the address. Moving one slider for long, or stepping through calls, is one step of the
 * browser's history: *Back* returns to what was compared before.
 */
export function useLabAddress(thread: string): LabAddress {
  const search: LabSearch = useSearch({ from: '/threads/$thread/lab' })
  const navigate = useNavigate()
  const { history, options, buildLocation } = useRouter()
  // The sliders do not wait for the router.
  const [view, setView] = useState(() => viewOf(search))
  const moved = useRef<keyof LabSearch>(undefined)
  const shown = textOf(searchOf(view))
  const address = textOf(search)
  useEffect(() => {
    const isNewest = textOf(options.parseSearch?.(history.location.search) ?? {}) === address
    if (!isNewest || address === shown) return
    moved.current = undefined
    setView(viewOf(JSON.parse(address) as LabSearch))
    // Only when the address changes: `shown` is ahead of it as long as a slider moves.
  }, [address])
  const show = (next: LabView): void => {
    const [before, after] = [searchOf(view), searchOf(next)]
    const [name, ...others] = names.filter((each) => before[each] !== after[each])
    if (name === undefined) return
    const isStep = others.length === 0 && after[name] !== undefined
    const replace = isStep && name === moved.current
    moved.current = isStep ? name : undefined
    setView(next)
    void navigate({ to: '/threads/$thread/lab', params: { thread }, search: after, replace })
  }
  const link = (call: string): string => {
    const search = searchOf({ ...view, call })
    return `${location.origin}${buildLocation({ to: '/threads/$thread/lab', params: { thread }, search }).href}`
  }
  return { view, show, link }
}

/** The same text for the same parameters, in whatever order. */
function textOf(search: LabSearch): string {
  return JSON.stringify(search, [...names])
}
