import { Outlet, useMatchRoute } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactElement } from 'react'
import { useThreads } from '../api/threads.ts'
import { ThreadList } from '../threads/threads.tsx'
import { Header } from './header.tsx'
import { Palette } from './palette.tsx'

/** The frame of every screen: the list of threads and the chosen screen. Narrow windows show one of the two. */
export function Layout(): ReactElement {
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const isAtList = useMatchRoute()({ to: '/' }) !== false
  // A run needs the full width.
  const isAtRuns = useMatchRoute()({ to: '/runs', fuzzy: true }) !== false
  // Without threads there is no list to show: a narrow window then shows how to begin.
  const { threads, isLoading } = useThreads([])
  const showsList = isAtList && (isLoading || threads.length > 0)
  useShortcut('k', () => setPaletteOpen(true))
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <Header onCommands={() => setPaletteOpen(true)} />
      <div
        className={`grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] ${isAtRuns ? '' : 'md:grid-cols-[19rem_minmax(0,1fr)] xl:grid-cols-[21rem_minmax(0,1fr)]'}`}
      >
        {!isAtRuns && (
          <nav
            aria-label="Threads"
            className={`min-h-0 border-r border-line bg-surface ${showsList ? '' : 'hidden md:block'}`}
          >
            <ThreadList />
          </nav>
        )}
        <main id="main" tabIndex={-1} className={`min-h-0 min-w-0 outline-none ${showsList ? 'hidden md:block' : ''}`}>
          <Outlet />
        </main>
      </div>
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </div>
  )
}

/** Calls `act` on Ctrl or Command with this key, wherever the focus is. */
function useShortcut(key: string, act: () => void): void {
  const newest = useRef(act)
  newest.current = act
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== key) return
      event.preventDefault()
      newest.current()
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [key])
}
