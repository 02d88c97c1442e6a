import type { Store, ThreadOptions } from 'minutebook'
import { policyOf, type PolicyConfig } from '@minutebook/experiment/run'
import { readObserver } from '../upstream/read-observer.ts'
import { policiesOf } from '../stores/policies.ts'
import type { Services } from '../services.ts'
import { configuredFor } from '../upstream/window.ts'
import { chooseModel, modelDigest } from './models.ts'
import { withoutTool } from './model-failure.ts'
import { observedModel } from './observed-model.ts'
import { findKept, systemText, type KeptSetup, type Setup } from '../stores/setup.ts'
import { newestTurn } from './state.ts'
import { upstreamModel, type UpstreamModelOptions } from './model-call.ts'
import { windowLimitOf } from './window-limit.ts'

/** What a run adds to the setup of its participants. */
export interface RunTerms extends Pick<UpstreamModelOptions, 'options'> {
  /** The name of the key that the run counts for; '' without keys. */
  readonly owner: string
}

/** A thread of a tenant. */
export interface ThreadPlace {
  readonly tenant: string
  readonly thread: string
}

/**
 * The options of a thread by its setup: the same for the instance that sends to it and the one that runs its turns, and
 * the same object as long as nothing changes. The window is the one that the model really has, and the counter is scaled
 * to what the upstream reports. If a tool of the setup is missing, the turn fails with `tool_missing`. With `run`, every
 * call carries its options, and the digest of the model is recorded.
 *
 * @example
 * const options = await threadOptions(services, { tenant: 'default', thread: 'garden' })
 */
export async function threadOptions(
  services: Services,
  { tenant, thread }: ThreadPlace,
  setup?: KeptSetup,
  run?: RunTerms,
): Promise<ThreadOptions> {
  const { config, windows, calibrations, upstreamClient, requestLog } = services
  const { store } = services.stores.of(tenant)
  const record = setup ?? (await findKept(store, thread)) ?? { setup: {} }
  const { model: named, tools = [], policy: chosenPolicy, window: wanted, reserve: kept } = record.setup
  const { temperature, seed, stop, output } = record.setup
  const chosen = await chooseModel(services, named)
  const { upstream, model, protocol } = chosen
  const owner = run?.owner ?? record.owner ?? ''
  const [
    found,
    counter,
    policy,
    {
      tools: taken,
      missing: [lacking],
    },
    digest,
  ] = await Promise.all([
    windows.of({ ...chosen, tenant, owner, output: kept }),
    calibrations.counter({ tenant, owner, model }),
    policyFor(services, tenant, chosenPolicy),
    services.toolbox.take(tools, tenant),
    run && modelDigest(services, chosen),
  ])
  const made = JSON.stringify([
    tenant,
    thread,
    record,
    run,
    upstream.url,
    model,
    protocol,
    found,
    policy,
    lacking,
    digest,
  ])
  const parts = [upstream, counter, ...taken]
  const known = services.madeOptions.get(made)
  if (known && isSame(known.parts, parts)) return known.options
  const options: ThreadOptions = {
    model: lacking
      ? withoutTool(chosen, lacking, () => requestLog.missingTool({ tenant, thread, ...lacking }))
      : observedModel(
          upstreamModel(upstreamClient, chosen, { options: run?.options, digest }),
          {
            ...chosen,
            tenant,
            thread,
            options: run?.options,
            onCall: (call) => services.turnMeter(tenant).called(thread, call),
            turn: () => turnIn(store, thread),
          },
          services,
        ),
    // A thread cannot raise the limit of its model. If no source names that limit, the thread's own window counts.
    window: found.source === 'assumed' ? (wanted ?? found.window) : Math.min(wanted ?? found.window, found.window),
    windowSource: found.source,
    shortfall: windowLimitOf(wanted, found),
    reserve: found.reserve,
    policy: policyOf(policy),
    counter,
    profile: configuredFor(config.models, model).profile,
    notes: policy.notes ? 'block' : 'off',
    journal: policy.journal ?? true,
    system: systemText(record),
    temperature,
    seed,
    stop,
    output,
    tools: taken,
    callTimeout: config.callTimeout,
    sizeLimit: config.threadLimit,
    answeredMeanwhile: ({ messages, tools: schemas }) =>
      services.served.take({ tenant, upstream: upstream.url, model, owner: '', thread, messages, tools: schemas }),
    onUsage: readObserver(services, { ...chosen, tenant, owner, thread, window: found }),
    waitRecords: services.webhooks.records(tenant),
    owner: record.owner,
  }
  services.madeOptions.set(made, { parts, options })
  return options
}

function isSame(parts: readonly unknown[], others: readonly unknown[]): boolean {
  return parts.length === others.length && parts.every((part, index) => part === others[index])
}

/** The turn that a thread is in. */
async function turnIn(store: Store, thread: string): Promise<string | undefined> {
  const { length } = await store.standing(thread)
  return (await newestTurn(store, thread, length))?.turn ?? undefined
}

/** A name whose policy was removed since is ignored: the thread uses the server's own. */
async function policyFor({ config, stores }: Services, tenant: string, policy: Setup['policy']): Promise<PolicyConfig> {
  if (typeof policy !== 'string') return policy ?? config.policy
  return (await policiesOf(config, stores.of(tenant).store).find(policy))?.policy ?? config.policy
}
