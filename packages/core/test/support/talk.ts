import type { Entry } from 'minutebook'
import { assistant, call, result, user } from '@minutebook/testing'
import { entriesOf, note, type Log } from '../../../../tests/support/entries.ts'

/** Turns about many things, some with calls, notes, or a system entry, and questions about things of long ago. */
export function talk(length: number): Entry[] {
  const said: Log[number][] = [{ role: 'system', content: 'Be brief.' }]
  const thing = (turn: number): string =>
    `${things[turn % things.length]} ${things[(turn * 7 + 3) % things.length]}${turn}`
  for (let turn = 0; said.length < length; turn++) {
    said.push(user(turn % 3 ? `the ${thing(turn)} is common` : `what about ${thing(Math.floor(turn / 3))}?`))
    if (turn % 4 === 0)
      said.push(
        assistant('', call(`${turn}`, 'look', { page: thing(turn) })),
        ...(turn % 8 ? [result(`${turn}`, `found ${thing(turn)} and ${thing(turn + 40)}`)] : []),
      )
    if (turn % 9 === 0) said.push(note(`note ${turn} ${thing(turn)}`))
    if (turn === 50) said.push({ role: 'system', content: 'Be briefer.' })
    said.push(assistant(`common answer ${turn} with ${thing(turn * 5)} ${'and more '.repeat(turn % 5)}`))
  }
  return entriesOf(...said)
}

const things = 'harbour lamp river stone garden winter letter engine quiet signal copper field'.split(' ')
