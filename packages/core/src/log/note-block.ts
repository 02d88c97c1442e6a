import { NoteFinder, openBracket, type NoteRun } from './note-finder.ts'
import { Quoting } from './quoting.ts'

/** The exact form. It ends with the bracket that balances the first. */
export const noteMarker = '[NOTE TO SELF:'

/** Finds blocks `[NOTE TO SELF: …]` that are the last thing on their line and are not quoted; text may follow on later lines. */
export class BlockFinder extends NoteFinder {
  private taken: NoteRun[] = []
  /** Where the line of the closed blocks ended, if they were the last thing on it. */
  private ended: number | undefined = undefined

  constructor() {
    super(noteMarker.length)
  }

  found(): readonly NoteRun[] {
    const { taken } = this
    if (taken.length > 0) this.taken = []
    return taken
  }

  protected begin(text: string, index: number, code: number, isWhole: boolean): number | 'wait' {
    if (code !== openBracket) return 0
    const seen = text.slice(index, index + noteMarker.length)
    if (seen !== noteMarker) return !isWhole && noteMarker.startsWith(seen) ? 'wait' : 0
    const { at: lead, depth, last } = this
    this.takeEnded()
    const { closed } = this
    const hold = closed?.hold ?? this.textEnd()
    this.quote(openBracket, true)
    const isQuoted = !closed && this.quoting.isQuoted(last)
    for (let each = 1; each < noteMarker.length; each++) {
      this.at++
      this.quote(noteMarker.charCodeAt(each), true)
    }
    this.depth++
    this.closed = undefined
    if (!isQuoted) this.open.push({ hold, notes: closed?.notes ?? [], lead, from: this.at + 1, depth })
    this.findHold()
    this.isFresh = false
    this.ink = this.at + 1
    this.last = colon
    return noteMarker.length
  }

  protected close(): void {
    this.ended = undefined
  }

  protected follow(): void {
    this.takeEnded()
    if (!this.closed) return
    this.closed = undefined
    this.findHold()
  }

  protected isLineMark(code: number): boolean {
    return lineMarks.has(code) && this.at - this.beforeLine <= longestMarks
  }

  protected endLine(): void {
    if (!this.closed || this.ended !== undefined) return
    this.ended = this.at
    if (this.open.length > 0) return
    // Nothing was quoted before the blocks, and marks within them have no effect outside.
    this.quoting = new Quoting()
    this.care = 1
  }

  protected override release(): void {
    this.takeEnded()
    super.release()
    this.isFresh = false
  }

  /** Takes blocks whose line has ended: they are notes, whatever follows. A block within an open one is a part of that. */
  private takeEnded(): void {
    const { closed, ended } = this
    if (!closed || ended === undefined || this.open.length > 0) return
    this.taken.push({ ...closed, to: ended })
    this.closed = undefined
    this.findHold()
  }
}

const colon = 0x3a
const longestMarks = 64
const lineMarks: ReadonlySet<number> = new Set('-*+•#_'.split('').map((mark) => mark.charCodeAt(0)))
