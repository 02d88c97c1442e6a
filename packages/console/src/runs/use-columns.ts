import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** Pixels. */
interface Sizes {
  readonly names: number
  readonly start: number
  readonly column: number
}

const wide: Sizes = { names: 152, start: 56, column: 180 }
const narrow: Sizes = { names: 104, start: 40, column: 148 }

export interface Columns {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly sizes: Sizes
  /** The rendered columns: 0 is the start, n the n-th round. */
  readonly items: readonly VirtualItem[]
  readonly width: number
  readonly show: (index: number) => void
}

/**
 * The columns of a monitor. Only those on the screen are rendered, and the one at `kept`. At the end it stays at the
 * end.
 */
export function useColumns(rounds: number, kept: number): Columns {
  const scroller = useRef<HTMLDivElement>(null)
  const sizes = useSizes()
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
  useEffect(() => {
    list.measure()
  }, [list, sizes])
  useStayAtEnd(scroller, list.getTotalSize())
  return {
    scroller,
    sizes,
    items: list.getVirtualItems(),
    width: list.getTotalSize(),
    show: (index) => list.scrollToIndex(index, { align: 'auto' }),
  }
}

function useSizes(): Sizes {
  const [sizes, setSizes] = useState<Sizes>(() => (matchMedia(isNarrow).matches ? narrow : wide))
  useEffect(() => {
    const query = matchMedia(isNarrow)
    const hear = (): void => setSizes(query.matches ? narrow : wide)
    query.addEventListener('change', hear)
    return () => query.removeEventListener('change', hear)
  }, [])
  return sizes
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
