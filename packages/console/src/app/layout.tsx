import { Outlet, useMatchRoute, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState, type ReactElement } from 'react'
import { useThreads } from '../api/threads.ts'
import { ThreadList } from '../threads/threads.tsx'
import { useKeys, useShortcut } from '../ui/keys.ts'
import { Header } from './header.tsx'
import { Palette } from './palette.tsx'

const Help = lazy(async () => ({ default: (await import('./help.tsx')).Help }))

/** The frame of every screen: the list of threads and the chosen screen. Narrow windows show one of the two. */
export function Layout(): ReactElement {
  const navigate = useNavigate()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isHelpOpen, setHelpOpen] = useState(false)
  const isAtList = useMatchRoute()({ to: '/threads' }) !== false
  // A run and the list of calls need the full width.
  const isAtRuns = useMatchRoute()({ to: '/runs', fuzzy: true }) !== false
  const isAtCalls = useMatchRoute()({ to: '/calls' }) !== false
  const isWide = isAtRuns || isAtCalls
  // Without threads there is no list to show.
  const { threads, isLoading } = useThreads([])
  const showsList = isAtList && (isLoading || threads.length > 0)
  useShortcut('k', () => setPaletteOpen(true))
  useKeys({ '?': () => setHelpOpen(true), '/': () => void navigate({ to: '/search' }) })
  return (
    <div className="grid h-full grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)]">
      <Header onCommands={() => setPaletteOpen(true)} />
      <div
        className={`grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] ${isWide ? '' : 'md:grid-cols-[19rem_minmax(0,1fr)] xl:grid-cols-[21rem_minmax(0,1fr)]'}`}
      >
        {!isWide && (
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
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} onHelp={() => setHelpOpen(true)} />}
      <Suspense>{isHelpOpen && <Help onClose={() => setHelpOpen(false)} />}</Suspense>
    </div>
  )
}
