import { useEffect, useState, type ReactElement } from 'react'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { applyTheme, nextTheme, savedTheme, themeChanged } from './theme.ts'

/** Switches between light, dark and as the system has it. */
export function ThemeButton(): ReactElement {
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
