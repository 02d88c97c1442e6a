import { Link } from '@tanstack/react-router'
import { useEffect, useState, type ReactElement } from 'react'
import { useAbout } from '../api/api.tsx'
import { useLogout } from '../api/session.ts'
import { mostListed, useWaiting } from '../api/waiting.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Badge, Button, Icon } from '../ui/ui.tsx'
import { LoginForm } from './login.tsx'
import { applyTheme, nextTheme, savedTheme, themeChanged } from './theme.ts'

export function Header({ onCommands }: { readonly onCommands: () => void }): ReactElement {
  return (
    <header className="flex h-11 items-center gap-0.5 border-b border-line bg-surface px-2 sm:gap-2 sm:px-3">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:rounded focus:bg-surface focus:px-2 focus:py-1"
      >
        Skip to content
      </a>
      <Link
        to="/"
        aria-label="Minutebook: overview"
        className="flex min-h-6 min-w-6 items-center justify-center gap-2 font-semibold sm:mr-2"
      >
        <Mark />
        <span className="hidden sm:inline">Minutebook</span>
      </Link>
      <Link
        to="/threads"
        className="rounded-md px-1 py-1 text-[13px] text-muted hover:bg-sunken hover:text-ink sm:px-2 md:hidden"
      >
        Threads
      </Link>
      <Link
        to="/search"
        className="hidden rounded-md px-1 py-1 text-[13px] text-muted hover:bg-sunken hover:text-ink sm:inline sm:px-2"
      >
        Search
      </Link>
      <Link to="/calls" className="rounded-md px-1 py-1 text-[13px] text-muted hover:bg-sunken hover:text-ink sm:px-2">
        Calls
      </Link>
      <Link to="/runs" className="rounded-md px-1 py-1 text-[13px] text-muted hover:bg-sunken hover:text-ink sm:px-2">
        Runs
      </Link>
      <WaitingLink />
      <span className="min-w-0 grow" />
      <Button kind="quiet" small onClick={onCommands} title="Commands (Ctrl K)">
        <span className="sm:hidden">
          <Icon name="commands" />
        </span>
        <span className="sr-only sm:not-sr-only">Commands</span>
        <kbd className="hidden rounded border border-line px-1 md:inline">Ctrl K</kbd>
      </Button>
      <ThemeButton />
      <Who />
    </header>
  )
}

/** Leads to what waits for a decision, and says how much that is. */
function WaitingLink(): ReactElement {
  const { data } = useWaiting({ every: waitingEvery })
  const count = data?.length ?? 0
  return (
    <Link
      to="/waiting"
      className="flex items-center gap-1 rounded-md px-1 py-1 text-[13px] text-muted hover:bg-sunken hover:text-ink sm:px-2"
    >
      Waiting
      {count > 0 && (
        <span data-waiting-count={count}>
          <Badge tone="warn" title="Calls that need a decision">
            {count >= mostListed ? `${mostListed}+` : count}
          </Badge>
        </span>
      )}
    </Link>
  )
}

/** Milliseconds. */
const waitingEvery = 15_000

/** The scope of the current key, with login and logout. */
function Who(): ReactElement {
  const { scope, tenant, shown, readOnly } = useAbout()
  const logOut = useLogout()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <span className="hidden sm:inline">
        <Badge tone={scope === 'admin' ? 'accent' : 'plain'} title={`Tenant ${tenant}`}>
          {readOnly ? 'read-only' : scope}
        </Badge>
      </span>
      {shown === 'nothing' ? (
        <Button kind="quiet" small onClick={() => setOpen(true)}>
          Log in
        </Button>
      ) : (
        <Button kind="quiet" small onClick={logOut}>
          Log out
        </Button>
      )}
      {isOpen && (
        <Dialog label="Log in" onClose={() => setOpen(false)}>
          <LoginForm onDone={() => setOpen(false)}>
            Log in with a key to see more: hidden entries and prompts need an admin’s key.
          </LoginForm>
        </Dialog>
      )}
    </>
  )
}

function Mark(): ReactElement {
  return (
    <svg viewBox="0 0 32 32" width="18" height="18" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <g stroke="var(--on-accent)" strokeWidth="2.6" strokeLinecap="round">
        <path d="M8 10h16" />
        <path d="M8 16h11" />
        <path d="M8 22h14" strokeDasharray="1 5" />
      </g>
    </svg>
  )
}

/** Switches between light, dark and the system's theme. */
function ThemeButton(): ReactElement {
  const [theme, setTheme] = useState(savedTheme)
  useEffect(() => {
    applyTheme(theme)
    const system = matchMedia('(prefers-color-scheme: dark)')
    const follow = (): void => applyTheme(theme)
    const hear = (): void => setTheme(savedTheme())
    system.addEventListener('change', follow)
    addEventListener(themeChanged, hear)
    return () => {
      system.removeEventListener('change', follow)
      removeEventListener(themeChanged, hear)
    }
  }, [theme])
  return (
    <Button
      kind="quiet"
      small
      onClick={() => setTheme(nextTheme)}
      aria-label={`Theme: ${theme}`}
      title={`Theme: ${theme}`}
    >
      <Icon name={theme} />
    </Button>
  )
}
