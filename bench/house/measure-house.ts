import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { graphOf } from '../../tests/support/graph.ts'
import {
  cycles,
  folderOf,
  houseOf,
  importsWithin,
  lineCount,
  roomsOf,
  type Sources,
} from '../../tests/support/house-rules.ts'
import { publicNamesOf } from '../../tests/support/public-names.ts'
import { floorsOf } from './floors.ts'
import { longLines } from './long-lines.ts'

/**
 * The structure of a package in figures. A room is a folder of src with all that it holds, or a file directly in src.
 */
export interface House {
  readonly files: number
  readonly rooms: number
  /** Each room stands on a floor above all rooms that it imports. */
  readonly floors: number
  /** Pairs of rooms of which the first imports the second. */
  readonly arrows: number
  /**
   * Arrows from a room to one on a higher floor, which only a circle of rooms can have; in words, with the imports that
   * they are made of.
   */
  readonly upward: readonly string[]
  /** Files that import each other in a circle, types included. */
  readonly cycles: readonly string[]
  readonly lines: { readonly median: number; readonly p90: number; readonly max: number; readonly all: number }
  /** How many files long the longest chain of imports is. */
  readonly chain: number
  readonly longLines: readonly string[]
  /** By entry point. */
  readonly names: Readonly<Record<string, { readonly values: number; readonly types: number }>>
}

export const columns = 120

/** Undefined if there is no such package. */
export function measureHouse(folder: string): House | undefined {
  if (!existsSync(join(folder, 'package.json'))) return undefined
  const sources = [...houseOf(folder).sources].filter(([file]) => !file.endsWith('.d.ts'))
  const names = [...publicNamesOf(folder)].map(([entry, found]) => {
    const types = found.filter(({ kind }) => kind === 'type').length
    return [entry, { values: found.length - types, types }] as const
  })
  return {
    ...measureSources(new Map(sources)),
    names: Object.fromEntries(names),
  }
}

export function measureSources(sources: Sources): Omit<House, 'names'> {
  const imports = new Map(
    [...sources.keys()].map((file) => [
      file,
      importsWithin(file, sources)
        .map(({ target }) => target)
        .filter((target) => sources.has(target)),
    ]),
  )
  const pairs = [...imports].flatMap(([file, targets]) => targets.map((target) => [file, target] as const))
  const rooms = roomsOf(sources)
  const { floors, upward } = floorsOf(rooms)
  const chain = floorsOf(graphOf([...sources.keys()], pairs))
  const lengths = [...sources.values()].map(lineCount).toSorted((one, other) => one - other)
  return {
    files: sources.size,
    rooms: rooms.size,
    floors: Math.max(0, ...floors.values()),
    arrows: [...rooms.values()].reduce((sum, targets) => sum + targets.size, 0),
    upward: upward.map(
      ([from, to]) =>
        `${from} → ${to} (${pairs
          .filter(([file, target]) => folderOf(file) === from && folderOf(target) === to)
          .map((pair) => pair.join(' → '))
          .join(', ')})`,
    ),
    cycles: cycles(sources),
    lines: {
      median: quantile(lengths, 0.5),
      p90: quantile(lengths, 0.9),
      max: lengths.at(-1) ?? 0,
      all: lengths.reduce((sum, length) => sum + length, 0),
    },
    chain: Math.max(0, ...chain.floors.values()),
    longLines: [...sources].flatMap(([file, text]) => longLines(text, columns).map((line) => `${file}:${line}`)),
  }
}

/** The smallest value that so large a share of all does not exceed. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
