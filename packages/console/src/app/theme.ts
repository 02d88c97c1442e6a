/** The look of the console. Default: as the system. */
type Theme = 'system' | 'light' | 'dark'

const place = 'minutebook-theme'
/** The event of the window after a change of theme. */
export const themeChanged = 'minutebook-theme'
const themes: readonly Theme[] = ['system', 'light', 'dark']

export function savedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(place)) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Switches to a theme, and remembers it. */
export function applyTheme(theme: Theme): void {
  const isDark = theme === 'dark' || (theme === 'system' && systemIsDark().matches)
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
  try {
    if (theme === 'system') localStorage.removeItem(place)
    else localStorage.setItem(place, theme)
  } catch {
    // Without storage the theme lasts as long as the page is open.
  }
  dispatchEvent(new Event(themeChanged))
}

/** Applies the remembered theme, and follows the system's. */
export function startTheme(): void {
  applyTheme(savedTheme())
  systemIsDark().addEventListener('change', () => applyTheme(savedTheme()))
}

function systemIsDark(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)')
}

export function nextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
}
