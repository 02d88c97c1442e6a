import { branchCases } from './branch-cases.ts'
import { eraseCases } from './erase-cases.ts'
import { eraseLinkedCases } from './erase-linked-cases.ts'
import { figureCases } from './figure-cases.ts'
import type { StoreCase } from './harness.ts'
import { headCases } from './head-cases.ts'
import { imageCases } from './image-cases.ts'
import { imageSharingCases } from './image-sharing-cases.ts'
import { isolationCases } from './isolation-cases.ts'
import { keyCases } from './key-cases.ts'
import { listCases } from './list-cases.ts'
import { metadataCases } from './metadata-cases.ts'
import { orderCases } from './order-cases.ts'
import { payloadCases } from './payload-cases.ts'
import { pruneCases } from './prune-cases.ts'
import { recordCases } from './record-cases.ts'
import { recordPageCases } from './record-page-cases.ts'
import { recordAppendCases } from './record-append-cases.ts'
import { removeCases } from './remove-cases.ts'
import { reopenCases } from './reopen-cases.ts'
import { retryCases } from './retry-cases.ts'
import { searchCases } from './search-cases.ts'
import { searchWordCases } from './search-word-cases.ts'
import { segmentCases } from './segment-cases.ts'
import { snapshotCases } from './snapshot-cases.ts'
import { termCases } from './term-cases.ts'
import { writerCases } from './writer-cases.ts'

/**
 * The whole test of a store, as data: run each case against a new, empty store. Cases of the topic `reopen` need
 * `reopen`. A store that keeps nothing beyond its process leaves them out: `storeCases.filter(({ topic }) => topic !==
 * 'reopen')`.
 *
 * @example
 * for (const { name, run } of storeCases) {
 *   test(name, async () => {
 *     const path = newPath()
 *     const store = await openMyStore(path)
 *     const reopen = async () => {
 *       await store.close()
 *       return openMyStore(path)
 *     }
 *     await run({ store, reopen })
 *   })
 * }
 */
export const storeCases: readonly StoreCase[] = [
  ...orderCases,
  ...headCases,
  ...termCases,
  ...retryCases,
  ...writerCases,
  ...branchCases,
  ...payloadCases,
  ...keyCases,
  ...eraseCases,
  ...eraseLinkedCases,
  ...removeCases,
  ...pruneCases,
  ...listCases,
  ...metadataCases,
  ...searchCases,
  ...searchWordCases,
  ...segmentCases,
  ...snapshotCases,
  ...recordCases,
  ...recordPageCases,
  ...recordAppendCases,
  ...figureCases,
  ...imageCases,
  ...imageSharingCases,
  ...isolationCases,
  ...reopenCases,
]
