import { useEffect, useRef } from 'react'

/**
 * Which key does what, wherever the focus is? A key does nothing while someone types, while a dialog or a menu is open, or if the
 * element with the focus has used it.
 *
 * @example
 * useKeys({ ArrowLeft: back, ArrowRight: forth })
 */
export function useKeys(acts: Readonly<Record<string, () => void>>): void {
  const newest = useRef(acts)
  newest.current = acts
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      const act = Object.hasOwn(newest.current, event.key) ? newest.current[event.key] : undefined
      if (!act || !isFree(event)) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])
}

function isFree({ key, target, defaultPrevented, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (
    defaultPrevented ||
    ctrlKey ||
    metaKey ||
    altKey ||
    isComposing ||
    document.querySelector('dialog[open], :popover-open')
  )
    return false
  const element = target instanceof Element ? target : document.body
  const field = element.closest('input, textarea, select, [contenteditable]')
  // A slider or a box to tick takes arrows, and no text.
  if (field) return !key.startsWith('Arrow') && field.matches('input:is([type=range], [type=checkbox], [type=radio])')
  return !(key.startsWith('Arrow') && scrollsSideways(element))
}

/** Whether the arrows move a text that is wider than its box. */
function scrollsSideways(element: Element): boolean {
  const box = element.closest('pre, table')
  return box !== null && box.scrollWidth > box.clientWidth
}

/** Calls `act` on Ctrl or Command with this key, wherever the focus is. */
export function useShortcut(key: string, act: () => void): void {
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
