import type { DatabaseSync } from 'node:sqlite'
import { entryFrom, MinutebookError, sentAs } from 'minutebook'

/** Tells our files from those of other programs: "mbok". */
const applicationId = 0x6d626f6b
/** The newest form of a file that this package reads. */
const newestVersion = 2

/**
 * All keys begin with the thread. Names of threads and snapshots are kept as JSON, so that no two of them become one;
 * payloads are JSON too, which has an escape for whatever a text column cannot hold.
 */
const version1 = `
  create table thread (
    number   integer primary key,
    name     text not null unique,
    head     text,
    length   integer not null default 0,
    term     integer not null default 0,
    written  integer                          -- the number of its newest entry
  ) strict;
  create index thread_written on thread (written) where written is not null;

  create table entry (
    number   integer primary key,             -- the order of writing over all threads
    thread   integer not null references thread (number),
    seq      integer not null,
    id       text not null,
    parent   integer,                         -- the seq of the parent
    chained  integer not null,
    payload  text not null,
    checksum text not null,
    unique (thread, seq),
    unique (thread, id)
  ) strict;
  create index entry_hanging on entry (thread, parent, seq) where chained = 0;

  create table snapshot (
    thread   integer not null references thread (number),
    name     text not null,
    seq      integer not null,
    value    text not null,
    primary key (thread, name, seq)
  ) strict, without rowid;

  -- By the numbers of entries. It keeps words, but no texts; all but ASCII comes folded and separated by spaces.
  -- It follows the table of entries at a small distance: what is newer than the number in indexed is not in it yet.
  create virtual table word_index using fts5 (thread, words, content = '', contentless_delete = 1, tokenize = 'ascii');
  create table indexed (number integer not null) strict;
  insert into indexed values (0);
`

/** Counts erasures, so that nothing is kept that was worked out before one; and finds what was sent by the sender's id, kept as JSON. */
const version2 = `
  alter table thread add column erasures integer not null default 0;
  alter table entry add column key text;
  create index entry_key on entry (thread, key, seq) where key is not null;
`

/** Makes the tables in a new file, brings those of an older one up to date, and refuses one that is not ours or newer than we are. */
export function prepareSchema(database: DatabaseSync, file: string): void {
  const version = pragma(database, 'user_version')
  const tables = database.prepare('select count(*) as count from sqlite_schema').get()?.['count']
  if (version === 0 && tables === 0) {
    database.exec(`${version1} ${version2} pragma application_id = ${applicationId}; pragma user_version = ${newestVersion};`)
    return
  }
  if (pragma(database, 'application_id') !== applicationId) {
    throw new MinutebookError('not_a_store', `"${file}" is a database of another program. Pass the path of a Minutebook file, or of a file that does not exist yet.`, { file })
  }
  if (version > newestVersion) {
    throw new MinutebookError('store_newer', `"${file}" was written by a newer version (${version}; this one reads up to ${newestVersion}). Update @minutebook/sqlite.`, { file, version })
  }
  if (version < 2) {
    database.exec(`${version2} pragma user_version = 2;`)
    fillKeys(database)
  }
}

/** An entry that cannot be read is an error for whoever reads it, and must not be one for all. */
function fillKeys(database: DatabaseSync): void {
  const fill = database.prepare('update entry set key = ? where number = ?')
  for (const { number, payload } of database.prepare(`select number, payload from entry where instr(payload, '"key":')`).all()) {
    const key = keyIn(String(payload))
    if (key !== undefined) fill.run(JSON.stringify(key), number!)
  }
}

function keyIn(payload: string): string | undefined {
  try {
    return sentAs(entryFrom(payload, 0))
  } catch {
    return undefined
  }
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`pragma ${name}`).get()?.[name])
}
