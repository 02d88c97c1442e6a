/** How the console looks: as the system has it, unless told. */
export type Theme = 'system' | 'light' | 'dark'

const place = 'minutebook-theme'
/** Happens to the window when another theme is shown. */
export const themeChanged = 'minutebook-theme'
const themes: readonly Theme[] = ['system', 'light', 'dark']

export function savedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(place)) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Shows a theme, and keeps it for the next time. */
export function applyTheme(theme: Theme): void {
  const isDark = theme === 'dark' || (theme === 'system' && systemIsDark().matches)
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light'
  try {
    if (theme === 'system') localStorage.removeItem(place)
    else localStorage.setItem(place, theme)
  } catch {
    // A browser that keeps nothing shows it for as long as the page is open.
  }
  dispatchEvent(new Event(themeChanged))
}

/** What was chosen last; and when the system turns dark in the evening, so does the console. */
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
