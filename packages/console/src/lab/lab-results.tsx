import { useMemo, useState, type ReactElement } from 'react'
import { requestHash, type KeptReceipt } from 'minutebook/inspect'
import { useMayWrite } from '../api/api.tsx'
import type { Entry } from '../api/entries.ts'
import type { Inspection } from '../api/calls.ts'
import { plural } from '../ui/text.ts'
import { Tabs } from '../ui/tabs.tsx'
import { Button } from '../ui/ui.tsx'
import { AskAgain } from './ask-again.tsx'
import type { PromptRequest } from '../api/lab.ts'
import { isUntouched, policyConfigOf, type Changes } from './changes.ts'
import type { LabCall, LabSettings } from './lab.ts'
import { Plots } from './plots.tsx'
import { PromptDiff, type AnyMessage } from '../inspector/prompt-diff.tsx'
import { Restore } from './restore.tsx'
import { SavePolicy } from './save-policy.tsx'
import { tally } from './differences.ts'
import type { OpenLab, Preview } from './use-lab.ts'
import { VerdictDiff } from './verdict-diff.tsx'

interface LabResultsProps {
  readonly lab: OpenLab
  readonly receipt: KeptReceipt
  readonly at: number
  readonly recorded: LabSettings
  readonly inspection: Inspection
  readonly preview: Preview | undefined
  readonly changes: Changes
  readonly onChange: (changes: Changes) => void
  readonly entries: readonly Entry[]
  /** The entry to bring back. */
  readonly entry: string | undefined
  readonly onEntry: (entry: string | undefined) => void
}

type Tab = 'diff' | 'verdicts' | 'plots' | 'ask'

/** What the settings of the lab change: in this prompt, over all calls, and in the answer. */
export function LabResults({
  lab,
  receipt,
  at,
  recorded,
  inspection,
  preview,
  changes,
  onChange,
  entries,
  entry,
  onEntry,
}: LabResultsProps): ReactElement {
  const [tab, setTab] = useState<Tab>('diff')
  const [isSaving, setSaving] = useState(false)
  const mayWrite = useMayWrite()
  const call = preview && !('problem' in preview.call) ? preview.call : undefined
  const nothing = preview && <p className="text-muted">There is no prompt to compare with. The reason is above.</p>
  // Only a prompt made for the current settings may be sent.
  const shown = preview?.changes === changes && preview.receipt === receipt.id ? call : undefined
  const asking = useMemo(() => shown && promptRequest(inspection.thread, shown), [inspection.thread, shown])
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        {preview?.all && <Tally all={preview.all} />}
        <span className="grow" />
        {mayWrite && (
          <Button small disabled={isUntouched(changes)} onClick={() => setSaving(true)}>
            Save as policy
          </Button>
        )}
      </div>
      {entry !== undefined && (
        <Restore
          lab={lab}
          receipt={receipt.id}
          inspection={inspection}
          entry={entry}
          preview={call}
          changes={changes}
          onChange={onChange}
          onLeave={() => onEntry(undefined)}
        />
      )}
      <Tabs
        label="What would change"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          {
            id: 'diff',
            title: 'Prompt',
            content: call ? (
              <PromptDiff
                label="What the model would have seen"
                left={(inspection.sent?.messages ?? []) as readonly AnyMessage[]}
                right={call.sent.messages as readonly AnyMessage[]}
                says={{ left: 'only as recorded', right: 'only as changed' }}
              />
            ) : (
              nothing
            ),
          },
          {
            id: 'verdicts',
            title: 'Entries',
            content: call ? (
              <VerdictDiff recorded={inspection.entries} changed={call.entries} chosen={entry} onChoose={onEntry} />
            ) : (
              nothing
            ),
          },
          {
            id: 'plots',
            title: 'All calls',
            content: preview?.all && (
              <Plots receipts={lab.receipts} all={preview.all} at={at} window={changes.window ?? recorded.window} />
            ),
          },
          {
            id: 'ask',
            title: 'Answer',
            content: mayWrite ? (
              <AskAgain
                key={receipt.id}
                asking={asking}
                answer={answerTo(entries, receipt.head)}
                onWindow={(window) => onChange({ ...changes, window })}
              />
            ) : (
              <p className="text-muted">This server only reads a file, and calls no model.</p>
            ),
          },
        ]}
      />
      {isSaving && <SavePolicy config={policyConfigOf(changes, recorded.policy)} onClose={() => setSaving(false)} />}
    </div>
  )
}

function Tally({ all }: { readonly all: NonNullable<Preview['all']> }): ReactElement {
  const { same, other, impossible } = tally(all)
  return (
    <p className="text-xs text-muted" data-tally>
      {plural(all.length, 'call', 'calls')}: {same} unchanged, {other} different
      {impossible > 0 && <span className="text-warn">, {impossible} not possible</span>}
    </p>
  )
}

function promptRequest(thread: string, { receipt, window, sent: { messages, tools } }: LabCall): PromptRequest {
  return { thread, receipt, messages, tools, window, hash: requestHash(messages, tools) }
}

/** The recorded answer to a call: the entry after the last one of its prompt. */
function answerTo(entries: readonly Entry[], head: string): Entry | undefined {
  return entries.find(({ kind, parent }) => kind === 'assistant' && parent === head)
}
