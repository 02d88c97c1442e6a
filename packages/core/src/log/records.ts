/**
 * Small values that a program keeps beside a log: how a thread is set up, which key was made, where a run stands in a
 * list. They are not entries. No prompt, page, search or export of what was said shows them, and no id that a client
 * sends leads to them. There is one value for each thread, name and key; a new value takes the place of the old one.
 */
export interface Records {
  /**
   * Puts records of one thread, all or none. `thread` is null for what belongs to no thread: the store's own. A value
   * that is there already is not written again, unless a version is expected. To write records together with entries,
   * pass them to `append`.
   */
  put(thread: string | null, records: readonly NewRecord[]): Promise<PutRecords>
  /** The records that the query names, the one that was written last first. */
  find(query: RecordQuery): Promise<StoredRecord[]>
  /**
   * Removes the record of that name and key, or all records of that name if no key is passed. Returns how many it
   * removed.
   */
  remove(thread: string | null, name: string, key?: string): Promise<number>
}

/** A record that is about to be written. */
export interface NewRecord {
  /** Under which it is looked up: what kind of value it is. Short, and a program's own. */
  readonly name: string
  /** Tells values of one name apart. Default: the empty text, for a name of which a thread has one. */
  readonly key?: string | undefined
  /** Plain JSON. */
  readonly value: unknown
  /** The version that must be there, 0 for none: otherwise nothing is written. Default: any. */
  readonly expected?: number | undefined
}

/** A record as it is read. */
export interface StoredRecord {
  readonly thread: string | null
  readonly name: string
  readonly key: string
  readonly value: unknown
  /** 1 for the first value; one more with each value that takes its place. */
  readonly version: number
}

/** What became of the records: all were written, or none. */
export type PutRecords =
  | { readonly ok: true; readonly records: readonly StoredRecord[] }
  /** `conflict`: a record does not have the expected version. Nothing was written. */
  | { readonly ok: false; readonly reason: 'conflict' }

/** Which records are looked up. */
export interface RecordQuery {
  readonly name: string
  readonly key?: string | undefined
  /** Default: records of all threads, and those of none. */
  readonly thread?: string | null | undefined
  /** Only so many. Default: all. */
  readonly limit?: number | undefined
}

/** A record as a store writes it. */
export interface RecordText {
  readonly name: string
  readonly key: string
  /** The value as JSON. */
  readonly text: string
  readonly expected: number | undefined
}

/** The records as texts, each name and key once. If several have the same, the last one counts. */
export function recordTexts(records: readonly NewRecord[]): readonly RecordText[] {
  const texts = new Map<string, RecordText>()
  for (const { name, key = '', value, expected } of records) {
    texts.set(JSON.stringify([name, key]), { name, key, text: JSON.stringify(value ?? null), expected })
  }
  return [...texts.values()]
}
