import type { Services } from '../services.ts'
import { experimentsOf } from './experiments-of.ts'
import { localTools } from './local-tools.ts'
import { folderOf } from './run-folder.ts'

/** Opens the tools of a run that was begun on this machine, so that it can go on here. */
export async function openLocalRun(services: Services, tenant: string, run: string): Promise<void> {
  const folder = await folderOf(services.stores.of(tenant).store, run)
  const { definition } = await experimentsOf(services, tenant).run(run).begun()
  if (folder !== undefined) await localTools(services).open(definition, folder, tenant)
}
