import type { Environment, Value } from '@minutebook/experiment/run'
import type { Paint } from '../paint.ts'
import { clipped, textWidth } from '../text-width.ts'
import { numberText, valueText } from './run-words.ts'

/** The environment in as many lines as it takes; what changed is marked, with what it was before. */
export function environmentLines(now: Environment, before: Environment, width: number, paint: Paint): string[] {
  const lines: string[] = []
  for (const [name, value] of Object.entries(now)) {
    const text = variableText(name, value, before[name], Math.max(20, Math.floor(width / 2)), paint)
    const last = lines.at(-1)
    if (last === undefined || textWidth(last) + textWidth(text) + 3 > width) lines.push(text)
    else lines[lines.length - 1] = `${last}   ${text}`
  }
  return lines
}

function variableText(name: string, value: Value, before: Value | undefined, widest: number, paint: Paint): string {
  const shown = clipped(valueText(value), widest)
  if (before === undefined || JSON.stringify(before) === JSON.stringify(value)) return `${paint.dim(name)} ${shown}`
  const change =
    typeof value === 'number' && typeof before === 'number'
      ? ` ${value > before ? '▲' : '▼'}${numberText(Math.abs(Number((value - before).toPrecision(6))))}`
      : ' *'
  return `${paint.bold(name)} ${paint.bold(shown)}${paint.yellow(change)}`
}
