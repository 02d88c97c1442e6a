/** A number with its thousands set apart. */
export function figure(value: number): string {
  return Math.round(value)
    .toString()
    .replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

export function counted(value: number, one: string, many: string = `${one}s`): string {
  return `${figure(value)} ${value === 1 ? one : many}`
}

/** How long ago that was, in words. */
export function ago(time: string | null, now: number): string {
  const seconds = Math.round((now - Date.parse(time ?? '')) / 1000)
  if (!Number.isFinite(seconds)) return '–'
  if (seconds < 0) return 'in the future'
  if (seconds < 60) return 'just now'
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`
  if (seconds < 30 * 86_400) return `${counted(Math.floor(seconds / 86_400), 'day')} ago`
  return new Date(Date.parse(time ?? '')).toISOString().slice(0, 10)
}
