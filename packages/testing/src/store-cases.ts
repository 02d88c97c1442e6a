import { branchCases } from './store/branch-cases.ts'
import { eraseCases } from './store/erase-cases.ts'
import type { StoreCase } from './store/harness.ts'
import { headCases } from './store/head-cases.ts'
import { imageCases } from './store/image-cases.ts'
import { isolationCases } from './store/isolation-cases.ts'
import { keyCases } from './store/key-cases.ts'
import { listCases } from './store/list-cases.ts'
import { orderCases } from './store/order-cases.ts'
import { payloadCases } from './store/payload-cases.ts'
import { recordCases } from './store/record-cases.ts'
import { reopenCases } from './store/reopen-cases.ts'
import { retryCases } from './store/retry-cases.ts'
import { searchCases } from './store/search-cases.ts'
import { snapshotCases } from './store/snapshot-cases.ts'
import { termCases } from './store/term-cases.ts'
import { writerCases } from './store/writer-cases.ts'

/**
 * The whole test of a store, as data: run each case against a store that nobody has written to. Cases of the topic
 * `reopen` need `reopen`; a store that keeps nothing beyond its process has none, and leaves these cases out:
 * `storeCases.filter(({ topic }) => topic !== 'reopen')`.
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
  ...listCases,
  ...searchCases,
  ...snapshotCases,
  ...recordCases,
  ...imageCases,
  ...isolationCases,
  ...reopenCases,
]
