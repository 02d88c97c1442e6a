import { useEffect, useRef } from 'react'

/** Calls back on Ctrl or Command with a key, wherever the focus is. */
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
