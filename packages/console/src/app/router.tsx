import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { nameIn, segmentOf } from '../api/segment.ts'
import { compareSearch, runParams, runSearch } from '../runs/address.ts'
import { Broken } from './broken.tsx'
import { NothingHere } from './nothing-here.tsx'
import { Layout } from './layout.tsx'
import { Welcome } from './welcome.tsx'

const root = createRootRoute({ component: Layout, notFoundComponent: NothingHere })

const threadParams = {
  parse: ({ thread }: { thread: string }) => ({ thread: nameIn(thread) }),
  stringify: ({ thread }: { thread: string }) => ({ thread: segmentOf(thread) }),
}

/** `head`: the branch that is shown; `at`: the entry that is looked for. */
export interface ThreadSearch {
  readonly head?: string | undefined
  readonly at?: string | undefined
}

function threadSearch({ head, at }: Record<string, unknown>): ThreadSearch {
  return { ...(typeof head === 'string' && { head }), ...(typeof at === 'string' && { at }) }
}

/** `call`: the model call that is compiled anew, by its receipt; `entry`: the entry that it is about. */
export interface LabSearch {
  readonly call?: string | undefined
  readonly entry?: string | undefined
}

function labSearch({ call, entry }: Record<string, unknown>): LabSearch {
  return { ...(typeof call === 'string' && { call }), ...(typeof entry === 'string' && { entry }) }
}

const welcome = createRoute({ getParentRoute: () => root, path: '/', component: Welcome })
const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: ({ query }: Record<string, unknown>): { readonly query?: string } => (typeof query === 'string' ? { query } : {}),
  component: lazyRouteComponent(() => import('../search/search-page.tsx'), 'SearchPage'),
})
const thread = createRoute({ getParentRoute: () => root, path: '/threads/$thread', params: threadParams, validateSearch: threadSearch, component: lazyRouteComponent(() => import('../transcript/thread-page.tsx'), 'ThreadPage') })
const call = createRoute({ getParentRoute: () => thread, path: '/calls/$receipt', component: lazyRouteComponent(() => import('./call-panel.tsx'), 'CallPanel') })
const state = createRoute({ getParentRoute: () => thread, path: '/state', component: lazyRouteComponent(() => import('../state/state-panel.tsx'), 'StatePanel') })
const lab = createRoute({ getParentRoute: () => root, path: '/threads/$thread/lab', params: threadParams, validateSearch: labSearch, component: lazyRouteComponent(() => import('./lab-screen.tsx'), 'LabScreen') })

const runs = createRoute({ getParentRoute: () => root, path: '/runs', component: lazyRouteComponent(() => import('../runs/runs-page.tsx'), 'RunsPage') })
const run = createRoute({ getParentRoute: () => root, path: '/runs/$run', params: runParams, validateSearch: runSearch, component: lazyRouteComponent(() => import('../runs/run-page.tsx'), 'RunPage') })
const compare = createRoute({ getParentRoute: () => root, path: '/runs/compare', validateSearch: compareSearch, component: lazyRouteComponent(() => import('../runs/compare-page.tsx'), 'ComparePage') })

const routes = root.addChildren([welcome, search, thread.addChildren([call, state]), lab, runs, run, compare])

export type ConsoleRouter = ReturnType<typeof createConsoleRouter>

/** Every address of the console. */
export function createConsoleRouter() {
  return createRouter({ routeTree: routes, basepath: '/console', defaultPreload: false, defaultErrorComponent: Broken, scrollRestoration: false })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter
  }
}
