import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { holding, runParams, searchText, threadParams } from './address.ts'
import { Broken } from './broken.tsx'
import { NothingHere } from './nothing-here.tsx'
import { Layout } from './layout.tsx'
import { Welcome } from './welcome.tsx'

const root = createRootRoute({ component: Layout, notFoundComponent: NothingHere })

const welcome = createRoute({ getParentRoute: () => root, path: '/', ...holding(), component: Welcome })
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  ...holding(),
  component: lazyRouteComponent(() => import('../search/search-page.tsx'), 'SearchPage'),
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
  component: lazyRouteComponent(() => import('./call-panel.tsx'), 'CallPanel'),
})
const state = createRoute({
  getParentRoute: () => thread,
  path: '/state',
  component: lazyRouteComponent(() => import('../state/state-panel.tsx'), 'StatePanel'),
})
const lab = createRoute({
  getParentRoute: () => root,
  path: '/threads/$thread/lab',
  params: threadParams,
  ...holding('call', 'entry'),
  component: lazyRouteComponent(() => import('./lab-screen.tsx'), 'LabScreen'),
})

const runs = createRoute({
  getParentRoute: () => root,
  path: '/runs',
  ...holding(),
  component: lazyRouteComponent(() => import('../runs/runs-page.tsx'), 'RunsPage'),
})
const run = createRoute({
  getParentRoute: () => root,
  path: '/runs/$run',
  params: runParams,
  ...holding('round', 'participant'),
  component: lazyRouteComponent(() => import('../runs/run-page.tsx'), 'RunPage'),
})
const compare = createRoute({
  getParentRoute: () => root,
  path: '/runs/compare',
  ...holding('left', 'right'),
  component: lazyRouteComponent(() => import('../runs/compare-page.tsx'), 'ComparePage'),
})

const routes = root.addChildren([welcome, search, thread.addChildren([call, state]), lab, runs, run, compare])

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>

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
  /** What goes back and forth with an address without being in it. */
  interface HistoryState {
    /** The words that are searched for. */
    readonly query?: string
  }
}
