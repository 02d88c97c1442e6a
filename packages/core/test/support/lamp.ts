import type { Digester } from 'minutebook'

interface Program {
  readonly name: string
  readonly steps: readonly { readonly pattern: string; readonly color: string }[]
  readonly loop: number | 'infinite'
}

/** Seed 001's lamp program: name, number of steps, patterns with their colours, loop. */
export const lampProgram: Digester = {
  id: 'lamp@1',
  digest(value) {
    if (!isProgram(value)) return undefined
    const steps = value.steps.map(({ pattern, color }) => `${pattern}(${color})`).join(' → ')
    const loop = value.loop === 'infinite' ? 'infinite loop' : `${value.loop}x loop`
    return `${value.name}, ${value.steps.length} steps: ${steps}, ${loop}`
  },
}

function isProgram(value: unknown): value is Program {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'steps' in value &&
    Array.isArray(value.steps) &&
    'loop' in value
  )
}
