import { randomBytes } from 'node:crypto'
import { MinutebookError, type Store } from 'minutebook'
import { entryOf, metadataRecords, type Metadata } from 'minutebook/store'
import { unknownThreadError } from '../../archive/archive.ts'
import { exampleThread, loadExample } from '../../archive/example.ts'
import { entryImage } from '../../archive/image.ts'
import { threadSummary, withOwner } from '../../archive/list.ts'
import { checkNotOfRun } from '../../experiments/list.ts'
import { isReserved } from '../../matching/directory.ts'
import { checkThreadName, newThread as nameOfNew } from '../../matching/thread-name.ts'
import { isWithin } from '../../config/caller.ts'
import { checkSetup } from '../../turns/turns.ts'
import { readSetup, recordSetup, setupRecord, type Setup } from '../../stores/setup.ts'
import { windowLimitFor, toldWindowLimit } from '../../turns/window-limit.ts'
import { operation, type Operation, type ApiCall } from '../operation.ts'
import { entriesQuery, entryExample, pinChange, entryParams, imageParams, shownThread } from '../schema/entry.ts'
import { removal } from '../schema/erase.ts'
import {
  metadataChanges,
  newThread,
  setup as setupSchema,
  summaryExample,
  threadDetail,
  threadParams,
  type ThreadDetail,
} from '../schema/thread.ts'
import { forbiddenError } from '../errors.ts'

const setupExample: Setup = { model: 'gemma3:4b', system: 'You help with a garden.' }
const detailExample: ThreadDetail = { ...summaryExample, head: '9f2c4e', setup: setupExample }
const setupErrors = ['unknown_model', 'unknown_tool', 'unknown_policy'] as const

/** Threads, and what was said in them. */
export const threadOperations: readonly Operation[] = [
  operation({
    method: 'post',
    path: '/threads',
    id: 'createThread',
    tag: 'threads',
    scope: 'app',
    summary: 'Create a thread',
    body: newThread,
    bodyOptional: true,
    status: 201,
    says: 'The thread is created.',
    schema: threadDetail,
    example: { ...detailExample, title: null, model: null, entries: 1, head: null },
    errors: ['thread_exists', 'invalid_thread', 'invalid_metadata', ...setupErrors],
    answer: async ({ body: { thread, setup = {}, metadata = {} }, call }) => {
      const name =
        thread === undefined ? nameOfNew('', { now: Date.now(), random: randomBytes }) : checkThreadName(thread)
      await checkWhole(call, setup)
      await create(call.store, name, setup, metadata)
      return detailOf(call, name)
    },
  }),
  operation({
    method: 'post',
    path: '/example',
    id: 'loadExample',
    tag: 'threads',
    scope: 'app',
    summary: 'Load an example thread',
    description: 'Calls no model. If the thread exists already, it stays as it is.',
    status: 200,
    says: 'The example: a conversation that outgrew its window.',
    schema: threadDetail,
    example: { ...detailExample, thread: exampleThread },
    errors: ['overloaded'],
    answer: async ({ call }) => {
      await loadExample(call.store, Date.now())
      return detailOf(call, exampleThread)
    },
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}',
    id: 'getThread',
    tag: 'threads',
    scope: 'viewer',
    summary: 'Show the summary of a thread',
    params: threadParams,
    status: 200,
    says: 'The thread. Viewers do not see its setup.',
    schema: threadDetail,
    example: detailExample,
    errors: ['unknown_thread'],
    answer: ({ params: { thread }, call }) => detailOf(call, thread),
  }),
  operation({
    method: 'put',
    path: '/threads/{thread}/setup',
    id: 'putSetup',
    tag: 'threads',
    scope: 'app',
    summary: 'Set how the turns of a thread are run',
    params: threadParams,
    body: setupSchema,
    status: 200,
    says: 'The thread with its new setup.',
    schema: threadDetail,
    example: detailExample,
    errors: ['unknown_thread', 'run_thread', ...setupErrors],
    answer: async ({ params: { thread }, body, call }) => {
      await writable(call.store, thread)
      await checkWhole(call, body)
      await recordSetup(call.store, thread, body)
      return detailOf(call, thread)
    },
  }),
  operation({
    method: 'patch',
    path: '/threads/{thread}/metadata',
    id: 'changeMetadata',
    tag: 'threads',
    scope: 'app',
    summary: 'Change some of the metadata of a thread',
    description: 'Pairs that the body does not name stay as they are.',
    params: threadParams,
    body: metadataChanges,
    status: 200,
    says: 'The thread with its new metadata.',
    schema: threadDetail,
    example: detailExample,
    errors: ['unknown_thread', 'run_thread', 'invalid_metadata'],
    answer: async ({ params: { thread }, body, call }) => {
      await writable(call.store, thread)
      await call.book.thread(thread).setMetadata(body)
      return detailOf(call, thread)
    },
  }),
  operation({
    method: 'delete',
    path: '/threads/{thread}',
    id: 'removeThread',
    tag: 'threads',
    scope: 'app',
    summary: 'Remove a thread',
    description:
      'Removes the entries and all that was kept with them. A turn that runs on the thread ends. A new thread may have the same name. To keep the chain of entries and remove only what they say, erase the thread instead.',
    params: threadParams,
    status: 200,
    says: 'The receipt of the removal.',
    schema: removal,
    example: { thread: 'garden', entries: 7, snapshots: 1, records: 2, images: 0, remains: [] },
    errors: ['unknown_thread', 'run_thread'],
    answer: ({ params: { thread }, call }) => call.archive.remove(thread),
  }),
  operation({
    method: 'put',
    path: '/threads/{thread}/pins/{entry}',
    id: 'pinEntry',
    tag: 'threads',
    scope: 'app',
    summary: 'Pin a message, so that every later prompt has it',
    description:
      'A message of a user, a model or a tool. A call or a result brings its whole step. All pinned messages of a thread together may take a share of the window, and are shortened to that.',
    params: entryParams,
    status: 200,
    says: 'The message is pinned.',
    schema: pinChange,
    example: { thread: 'garden', entry: '9f2c4e', pinned: true, changed: true },
    errors: ['unknown_thread', 'unknown_entry', 'run_thread', 'not_pinnable'],
    answer: ({ params: { thread, entry }, call }) => call.archive.pin(thread, entry, true),
  }),
  operation({
    method: 'delete',
    path: '/threads/{thread}/pins/{entry}',
    id: 'unpinEntry',
    tag: 'threads',
    scope: 'app',
    summary: 'Unpin a message',
    params: entryParams,
    status: 200,
    says: 'The message is not pinned.',
    schema: pinChange,
    example: { thread: 'garden', entry: '9f2c4e', pinned: false, changed: true },
    errors: ['unknown_thread', 'unknown_entry', 'run_thread'],
    answer: ({ params: { thread, entry }, call }) => call.archive.pin(thread, entry, false),
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/entries/{entry}/images/{image}',
    id: 'getImage',
    tag: 'threads',
    scope: 'viewer',
    summary: 'Get an image of an entry',
    description:
      'A recorded PNG, JPEG, GIF or WebP image of up to 8 MB, by its first bytes. Any other image, and one behind an address, is unknown. An entry that the key may not see is not found.',
    params: imageParams,
    holdsItself: true,
    status: 200,
    says: 'The bytes of the image.',
    media: Object.fromEntries(
      ['image/png', 'image/jpeg', 'image/gif', 'image/webp'].map((type) => [type, { says: 'The bytes of the image.' }]),
    ),
    errors: ['unknown_thread', 'unknown_entry', 'unknown_image'],
    answer: async ({ params: { thread, entry, image }, call: { store, caller } }) => {
      await known(store, thread)
      const hidden = isWithin(caller.scope, 'admin')
      const { type, bytes } = await entryImage(store, { thread, entry, image: Number(image), hidden })
      return new Response(bytes, {
        headers: { 'content-type': type, 'content-disposition': `inline; filename="image.${type.slice(6)}"` },
      })
    },
  }),
  operation({
    method: 'get',
    path: '/threads/{thread}/entries',
    id: 'listEntries',
    tag: 'threads',
    scope: 'viewer',
    summary: 'List the visible entries of a branch',
    description:
      'With `hidden=1`, the list also contains notes, journal, receipts and settings. That needs the scope admin.',
    params: threadParams,
    query: entriesQuery,
    status: 200,
    says: 'The entries of the branch, oldest first.',
    schema: shownThread,
    example: {
      thread: 'garden',
      head: '9f2c4e',
      branches: [{ head: '9f2c4e', from: null, text: 'What grows in the shade?' }],
      entries: [entryExample],
      hidden: 2,
    },
    errors: ['unknown_thread', 'unknown_entry'],
    answer: async ({ params: { thread }, query, call }) => {
      if (query.hidden && !isWithin(call.caller.scope, 'admin')) throw forbiddenError('admin')
      return call.archive.show(thread, query)
    },
  }),
]

/**
 * Starts the log of a thread and records its setup and its metadata: all or nothing. If two callers do that at once, one succeeds.
 * Throws `thread_exists`.
 */
async function create(store: Store, thread: string, setup: Setup, metadata: Metadata): Promise<void> {
  const { length } = await store.standing(thread)
  const begun = entryOf({ role: 'system', content: JSON.stringify({ type: 'created' }) }, undefined, {
    kind: 'event',
    origin: 'minutebook',
    time: new Date().toISOString(),
  })
  const records = [await setupRecord(store, thread, setup), ...metadataRecords(metadata)]
  const first = records.map((record) => ({ ...record, expected: 0 }))
  if (length === 0 && (await store.append(thread, [begun], { head: null, records: first })).ok) return
  throw new MinutebookError(
    'thread_exists',
    'A thread with this name already exists.',
    'Use another name, or send your messages to the existing thread.',
  )
}

/** Throws `unknown_thread` if there is no such thread, or none that this call may know of. */
export async function known(store: Pick<Store, 'standing'>, thread: string): Promise<void> {
  if (isReserved(thread) || (await store.standing(thread)).length === 0) throw unknownThreadError()
}

/** The same. Also throws `run_thread` for the thread of a participant. */
export async function writable(store: Pick<Store, 'standing'>, thread: string): Promise<void> {
  await known(store, thread)
  await checkNotOfRun(store, thread)
}

async function detailOf({ store, services, caller }: ApiCall, thread: string): Promise<ThreadDetail> {
  await known(store, thread)
  const [summary, { head }, setup] = await Promise.all([
    threadSummary(store, thread),
    store.standing(thread),
    readSetup(store, thread),
  ])
  if (!isWithin(caller.scope, 'app')) return { ...summary, head }
  const shortfall = await windowLimitFor(services, caller, setup)
  const owned = isWithin(caller.scope, 'admin') ? await withOwner(store, summary) : summary
  return { ...owned, head, setup, ...(shortfall && { window: toldWindowLimit(shortfall) }) }
}

async function checkWhole({ services, caller }: ApiCall, setup: Setup): Promise<void> {
  await checkSetup(services, caller.tenant, setup)
  if (setup.tools) await services.toolbox.check(setup.tools, caller.tenant)
}
