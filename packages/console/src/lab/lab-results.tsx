import { useMemo, useState, type ReactElement } from 'react'
import type { KeptReceipt } from 'minutebook/inspect'
import type { Entry } from '../api/entries.ts'
import type { Inspection } from '../inspector/inspection.ts'
import { plural } from '../inspector/number.ts'
import { Tabs } from '../inspector/tabs.tsx'
import { Button } from '../ui/button.tsx'
import { AskAgain } from './ask-again.tsx'
import { answerTo, askingOf } from './asking.ts'
import { isUntouched, policyConfigOf, type Changes } from './changes.ts'
import type { LabSettings } from './lab.ts'
import { Plots } from './plots.tsx'
import { PromptDiff, type AnyMessage } from './prompt-diff.tsx'
import { Restore } from './restore.tsx'
import { SavePolicy } from './save-policy.tsx'
import { tally } from './series.ts'
import type { Made, OpenLab } from './use-lab.ts'
import { VerdictDiff } from './verdict-diff.tsx'

export interface LabResultsProps {
  readonly lab: OpenLab
  readonly receipt: KeptReceipt
  readonly at: number
  readonly recorded: LabSettings
  readonly inspection: Inspection
  readonly made: Made | undefined
  readonly changes: Changes
  readonly onChange: (changes: Changes) => void
  readonly entries: readonly Entry[]
  /** The entry that is to be brought back. */
  readonly sought: string | undefined
}

type Tab = 'diff' | 'verdicts' | 'plots' | 'ask'

/** What the settings of the lab would have changed: in this prompt, over all calls, and in the answer. */
export function LabResults({
  lab,
  receipt,
  at,
  recorded,
  inspection,
  made,
  changes,
  onChange,
  entries,
  sought,
}: LabResultsProps): ReactElement {
  const [tab, setTab] = useState<Tab>('diff')
  const [isSaving, setSaving] = useState(false)
  const [entry, setEntry] = useState(sought)
  const call = made && !('problem' in made.call) ? made.call : undefined
  const nothing = made && <p className="text-muted">There is no prompt to compare with: see above why.</p>
  // Not before it is shown: what was made for other settings is not what the sliders say.
  const shown = made?.changes === changes && made.receipt === receipt.id ? call : undefined
  const asking = useMemo(() => shown && askingOf(inspection.thread, shown), [inspection.thread, shown])
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        {made?.all && <Tally all={made.all} />}
        <span className="grow" />
        <Button small disabled={isUntouched(changes)} onClick={() => setSaving(true)}>
          Save as policy
        </Button>
      </div>
      {entry !== undefined && (
        <Restore
          lab={lab}
          receipt={receipt.id}
          inspection={inspection}
          entry={entry}
          made={call}
          changes={changes}
          onChange={onChange}
          onLeave={() => setEntry(undefined)}
        />
      )}
      <Tabs
        label="What would be otherwise"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          {
            id: 'diff',
            title: 'Prompt',
            content: call ? (
              <PromptDiff
                recorded={(inspection.sent?.messages ?? []) as readonly AnyMessage[]}
                changed={call.sent.messages as readonly AnyMessage[]}
              />
            ) : (
              nothing
            ),
          },
          {
            id: 'verdicts',
            title: 'Entries',
            content: call ? (
              <VerdictDiff recorded={inspection.entries} changed={call.entries} chosen={entry} onChoose={setEntry} />
            ) : (
              nothing
            ),
          },
          {
            id: 'plots',
            title: 'All calls',
            content: made?.all && (
              <Plots receipts={lab.receipts} all={made.all} at={at} window={changes.window ?? recorded.window} />
            ),
          },
          {
            id: 'ask',
            title: 'Answer',
            content: (
              <AskAgain
                key={receipt.id}
                asking={asking}
                answer={answerTo(entries, receipt.head)}
                onWindow={(window) => onChange({ ...changes, window })}
              />
            ),
          },
        ]}
      />
      {isSaving && <SavePolicy config={policyConfigOf(changes, recorded.policy)} onClose={() => setSaving(false)} />}
    </div>
  )
}

function Tally({ all }: { readonly all: NonNullable<Made['all']> }): ReactElement {
  const { same, other, impossible } = tally(all)
  return (
    <p className="text-xs text-muted" data-tally>
      {plural(all.length, 'call', 'calls')}: {same} the same, {other} otherwise
      {impossible > 0 && <span className="text-warn">, {impossible} not possible</span>}
    </p>
  )
}
