import type { DatabaseSync } from 'node:sqlite'
import { MinutebookError } from 'minutebook'
import { figureSchema } from './figures.ts'

/** Distinguishes our files from those of other programs: "mbok". */
const applicationId = 0x6d626f6b
/** The form of a file that this package writes and reads. */
const layout = 10

/**
 * All keys begin with the thread. Names of threads, snapshots, segments and records are kept as JSON, so that no two of them
 * become equal. Payloads are JSON too (with their long images apart), which can escape everything that a text column
 * cannot hold.
 */
const tables = `
  create table thread (
    number   integer primary key,
    name     text not null unique,
    head     text,
    length   integer not null default 0,
    term     integer not null default 0,
    erasures integer not null default 0,      -- how often something of it was erased
    written  integer,                         -- the number of its newest entry
    time     integer,                         -- when that was written, in milliseconds since 1970
    unfinished integer not null default 0     -- above 0 if it may need work
  ) strict;
  create index thread_written on thread (written) where written is not null;
  create index thread_unfinished on thread (written) where unfinished > 0;

  create table entry (
    number   integer primary key,             -- the order of writing over all threads
    thread   integer not null references thread (number),
    seq      integer not null,
    id       text not null,
    parent   integer,                         -- the seq of the parent
    chained  integer not null,
    key      text,                            -- the sender's own id for what was sent
    payload  text not null,
    checksum text not null,
    unique (thread, seq),
    unique (thread, id)
  ) strict;
  create index entry_hanging on entry (thread, parent, seq) where chained = 0;
  create index entry_key on entry (thread, key, seq) where key is not null;

  -- Long images, once for a thread: by the SHA-256 of what they are. And which entries hold them, to know when an image can go.
  create table image (
    thread   integer not null references thread (number),
    hash     text not null,
    piece    integer not null,                -- a long one is kept in pieces, from 0
    content  text not null,
    primary key (thread, hash, piece)
  ) strict;
  create table entry_image (
    thread   integer not null references thread (number),
    hash     text not null,
    seq      integer not null,
    primary key (thread, hash, seq)
  ) strict, without rowid;

  create table snapshot (
    thread   integer not null references thread (number),
    name     text not null,
    seq      integer not null,
    value    text not null,
    primary key (thread, name, seq)
  ) strict, without rowid;

  -- Parts of indexes over a thread's log. A piece has its segment's number times 2^20, plus its own number.
  create table segment (
    number   integer primary key,
    thread   integer not null references thread (number),
    name     text not null,
    unique (thread, name)
  ) strict;
  create table piece (
    number   integer primary key,
    content  blob not null
  ) strict;

  -- A thread here is its name: a record needs no row in the table of threads. The store's own have the empty text, which is not JSON.
  create table record (
    thread   text not null,
    name     text not null,
    key      text not null,
    value    text not null,
    version  integer not null,
    written  integer not null,                -- the order of writing over all records
    primary key (thread, name, key)
  ) strict;
  create index record_key on record (name, key, written);
  create index record_name on record (name, written);
  create index record_written on record (written);
  -- Which threads have a pair of metadata. Stores refuse longer ones.
  create index record_metadata on record (key, value, thread) where name = '"metadata"';

  -- The tables of words, made when they are needed: see word-table.ts. One with traces has words of removed entries.
  -- They follow the table of entries at a small distance: what is newer than the number in indexed is not in them yet.
  create table word_table (
    number   integer primary key,
    traces   integer not null default 0
  ) strict;
  create index word_table_traces on word_table (number) where traces = 1;
  create table indexed (number integer not null) strict;
  insert into indexed values (0);
  ${figureSchema}
`

/** Makes the tables in a new file. */
export function prepareSchema(database: DatabaseSync, file: string): void {
  if (checkSchema(database, file) === 'empty')
    database.exec(`${tables} pragma application_id = ${applicationId}; pragma user_version = ${layout};`)
}

/** Refuses a file that is not ours, or of another layout: nothing of it must be taken for empty. */
export function checkSchema(database: DatabaseSync, file: string): 'empty' | 'ours' {
  const version = pragma(database, 'user_version')
  const count = database.prepare('select count(*) as count from sqlite_schema').get()?.['count']
  if (version === 0 && count === 0) return 'empty'
  if (pragma(database, 'application_id') !== applicationId) {
    throw new MinutebookError(
      'not_a_store',
      `"${file}" is a database of another program.`,
      'Pass the path of a Minutebook file, or of a file that does not exist yet.',
      { file },
    )
  }
  if (version > layout) {
    throw new MinutebookError(
      'store_newer',
      `"${file}" was written by a newer version (layout ${version}; this one reads layout ${layout}).`,
      'Update @minutebook/sqlite, or @minutebook/cli if you use the command.',
      { file, version },
    )
  }
  if (version < layout) {
    throw new MinutebookError(
      'store_older',
      `"${file}" was written by an older version (layout ${version}; this one reads layout ${layout}).`,
      'Read it with that version of @minutebook/sqlite or @minutebook/cli, and start a new file with this one.',
      { file, version },
    )
  }
  return 'ours'
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`pragma ${name}`).get()?.[name])
}
