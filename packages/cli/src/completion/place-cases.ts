import type { Place } from './words.ts'

/** How bash and zsh alike come from a place, by the next word, to the one behind it. */
export function placeCases(places: readonly Place[]): string {
  const steps = places
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => `      '${path.slice(0, -1).join(' ')}|${path.at(-1)}') place='${path.join(' ')}' ;;`)
  return `    case "$place|$word" in\n${steps.join('\n')}\n    esac`
}
