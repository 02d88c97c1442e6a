import { ApiError } from '@minutebook/client'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useThreads } from '../api/threads.ts'
import { OverviewPage } from '../overview/overview.tsx'
import { Empty, Failure } from '../ui/placeholders.tsx'
import { Button } from '../ui/ui.tsx'
import { holding, runParams, searchText, threadParams } from './address.ts'
import { FirstMinute } from './first-minute.tsx'
import { Layout } from './layout.tsx'

const root = createRootRoute({ component: Layout, notFoundComponent: NothingHere })

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/',
  ...holding('show', 'marks', 'last', 'model', 'key'),
  component: Welcome,
})
const list = createRoute({
  getParentRoute: () => root,
  path: '/threads',
  ...holding('show', 'marks'),
  component: Unchosen,
})
const begin = createRoute({
  getParentRoute: () => root,
  path: '/new',
  ...holding(),
  component: lazyRouteComponent(() => import('../transcript/new-thread.tsx'), 'NewThreadPage'),
})
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  ...holding(),
  component: lazyRouteComponent(() => import('../search/search.tsx'), 'SearchPage'),
})
const waiting = createRoute({
  getParentRoute: () => root,
  path: '/waiting',
  ...holding(),
  component: lazyRouteComponent(() => import('../waiting/waiting.tsx'), 'WaitingPage'),
})
const thread = createRoute({
  getParentRoute: () => root,
  path: '/threads/$thread',
  params: threadParams,
  ...holding('head', 'at'),
  component: lazyRouteComponent(() => import('../transcript/thread-page.tsx'), 'ThreadPage'),
})
const call = createRoute({
  getParentRoute: () => thread,
  path: '/calls/$receipt',
  component: lazyRouteComponent(() => import('../inspector/inspector.tsx'), 'InspectorPage'),
})
const state = createRoute({
  getParentRoute: () => thread,
  path: '/state',
  component: lazyRouteComponent(() => import('../state/state.tsx'), 'StatePanel'),
})
const lab = createRoute({
  getParentRoute: () => root,
  path: '/threads/$thread/lab',
  params: threadParams,
  ...holding('call', 'entry', 'window', 'reserve', 'preset', 'verbatim', 'outline', 'recall', 'notes', 'profile'),
  component: lazyRouteComponent(() => import('../lab/lab-page.tsx'), 'LabPage'),
})

const calls = createRoute({
  getParentRoute: () => root,
  path: '/calls',
  ...holding('ended', 'flag', 'model', 'owner', 'range'),
  component: lazyRouteComponent(() => import('../calls/calls.tsx'), 'CallsPage'),
})
const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  ...holding('runs', 'status'),
  component: lazyRouteComponent(() => import('../runs/runs.tsx'), 'RunsPage'),
})
const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  params: runParams,
  ...holding('round', 'participant', 'zoom'),
  component: lazyRouteComponent(() => import('../runs/run-page.tsx'), 'RunPage'),
})
const compare = createRoute({
  getParentRoute: () => root,
  path: '/runs/compare',
  ...holding('left', 'right', 'runs', 'variables', 'lines', 'sort', 'only'),
  component: lazyRouteComponent(() => import('../compare/compare.tsx'), 'ComparePage'),
})

const routes = root.addChildren([
  welcome,
  list,
  begin,
  search,
  waiting,
  thread.addChildren([call, state]),
  lab,
  calls,
  runs,
  run,
  compare,
])

type ConsoleRouter = ReturnType<typeof createConsoleRouter>

/** Every address of the console. */
export function createConsoleRouter() {
  return createRouter({
    routeTree: routes,
    basepath: '/console',
    ...searchText,
    search: { strict: true },
    defaultPreload: false,
    defaultErrorComponent: Broken,
    scrollRestoration: false,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter
  }
  /** State of a history entry that is not in its address. */
  interface HistoryState {
    /** The words that are searched for. */
    readonly query?: string
  }
}

/** Home: the overview, or how to begin if there is nothing yet. */
function Welcome(): ReactElement {
  const { threads, isLoading } = useThreads([])
  return isLoading || threads.length > 0 ? <OverviewPage /> : <FirstMinute />
}

/** Next to the list, before a thread is chosen. A narrow screen shows the list instead. */
function Unchosen(): ReactElement {
  return (
    <Empty title="Choose a thread">
      <p>
        See what was said, and what the model saw of it. <kbd>↑</kbd> <kbd>↓</kbd> move through the list,{' '}
        <kbd>Ctrl K</kbd> opens the commands.
      </p>
    </Empty>
  )
}

function NothingHere(): ReactElement {
  return (
    <Empty title="There is nothing at this address">
      <p>
        <Link to="/" className="text-accent underline">
          Go to the threads
        </Link>
        , or check the address.
      </p>
    </Empty>
  )
}

/** Shown if a screen fails, usually because the server has a newer build of the console. */
function Broken({ error }: { readonly error: unknown }): ReactElement {
  if (error instanceof ApiError)
    return (
      <div className="mx-auto max-w-lg p-8">
        <Failure error={error} onRetry={() => location.reload()} />
      </div>
    )
  return (
    <div role="alert" className="mx-auto max-w-lg space-y-3 p-8">
      <p className="font-medium">This part of the console could not be shown</p>
      <p className="text-muted">
        The server may have a newer version of it. Load the page again; if that does not help, tell us what you did.
      </p>
      <Button onClick={() => location.reload()}>Load the page again</Button>
    </div>
  )
}
