import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** `rounds`: wide columns, and one scrolls. `fit`: the whole run in the width. `overview`: the same, as strips. */
export type Zoom = 'rounds' | 'fit' | 'overview'

/** Pixels. */
interface Sizes {
  readonly names: number
  readonly start: number
  readonly column: number
}

const wide: Sizes = { names: 196, start: 56, column: 180 }
const narrow: Sizes = { names: 124, start: 40, column: 148 }
/** Of the start, if the whole run fits the width. */
const shortStart = 28
/** Narrower cells cannot be clicked, so they are drawn as strips. */
export const leastCell = 24

export interface Columns {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly sizes: Sizes
  /** The rendered columns: 0 is the start, n the n-th round. */
  readonly items: readonly VirtualItem[]
  readonly width: number
  /** Whether the turns of a participant are drawn as one strip. */
  readonly isStrip: boolean
  /** The left edge of a column. */
  readonly startOf: (index: number) => number
  readonly show: (index: number) => void
}

/**
 * The columns of a monitor. Only those on the screen are rendered, and the one at `kept`. At the end it stays at the
 * end.
 */
export function useColumns(rounds: number, kept: number, zoom: Zoom): Columns {
  const scroller = useRef<HTMLDivElement>(null)
  const sizes = useSizes(scroller, rounds, zoom)
  const list = useVirtualizer({
    horizontal: true,
    count: rounds + 1,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (index === 0 ? sizes.start : sizes.column),
    paddingStart: sizes.names,
    scrollPaddingStart: sizes.names,
    overscan: 3,
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const seen = defaultRangeExtractor(range)
        return kept > rounds || seen.includes(kept) ? seen : [...seen, kept].toSorted((one, other) => one - other)
      },
      [kept, rounds],
    ),
  })
  const { names, start, column } = sizes
  useLayoutEffect(() => {
    list.measure()
  }, [list, names, start, column])
  useStayAtEnd(scroller, list.getTotalSize())
  return {
    scroller,
    sizes,
    items: list.getVirtualItems(),
    width: list.getTotalSize(),
    isStrip: zoom === 'overview' || column < leastCell,
    startOf: (index) => (index === 0 ? names : names + start + (index - 1) * column),
    show: (index) => list.scrollToIndex(index, { align: 'auto' }),
  }
}

function useSizes(scroller: RefObject<HTMLDivElement | null>, rounds: number, zoom: Zoom): Sizes {
  const [usual, setUsual] = useState<Sizes>(() => (matchMedia(isNarrow).matches ? narrow : wide))
  const [room, setRoom] = useState(0)
  useEffect(() => {
    const query = matchMedia(isNarrow)
    const hear = (): void => setUsual(query.matches ? narrow : wide)
    query.addEventListener('change', hear)
    return () => query.removeEventListener('change', hear)
  }, [])
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const measure = (): void => setRoom(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  return zoom === 'rounds' ? usual : { ...usual, start: shortStart, column: fittingColumn(room, rounds, usual) }
}

/** So wide that all rounds fit, but not wider than usual. */
export function fittingColumn(room: number, rounds: number, { names, column }: Sizes): number {
  const each = Math.max(0, room - names - shortStart - 1) / Math.max(1, rounds)
  return each === 0 ? column : Math.min(column, each)
}

const isNarrow = '(max-width: 640px)'

/** Follows new columns, unless the user has scrolled away from the end. */
function useStayAtEnd(scroller: RefObject<HTMLDivElement | null>, width: number): void {
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = scroller.current
    const hear = (): void => {
      if (element) isAtEnd.current = element.scrollLeft + element.clientWidth >= element.scrollWidth - 8
    }
    element?.addEventListener('scroll', hear, { passive: true })
    return () => element?.removeEventListener('scroll', hear)
  }, [scroller])
  useLayoutEffect(() => {
    if (isAtEnd.current && scroller.current) scroller.current.scrollLeft = scroller.current.scrollWidth
  }, [scroller, width])
}
