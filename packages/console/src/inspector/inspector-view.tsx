import { useState, type ReactElement } from 'react'
import type { Entry } from '../api/entries.ts'
import { CallHeader } from './call-header.tsx'
import { Dump } from './dump.tsx'
import { EntryDetail } from './entry-detail.tsx'
import type { Inspection } from './inspection.ts'
import { LogStrip } from './log-strip.tsx'
import { PaneDetail } from './pane-detail.tsx'
import { PaneLegend } from './pane-legend.tsx'
import type { PaneName } from './pane.ts'
import { PromptView } from './prompt-view.tsx'
import { Tabs } from './tabs.tsx'
import { VerdictList } from './verdict-list.tsx'
import { WindowStrip } from './window-strip.tsx'

/** What is looked at: a pane of the window, an entry of the log, or neither. */
export interface Choice {
  readonly pane?: PaneName
  readonly entry?: string
}

export interface InspectorViewProps {
  readonly inspection: Inspection
  /** The branch, as this key may see it. */
  readonly entries: readonly Entry[]
  readonly choice: Choice
  readonly onChoose: (choice: Choice) => void
}

type Tab = 'detail' | 'entries' | 'prompt' | 'dump'

/**
 * One model call: the window to scale, the log by verdict, and whatever of the two was chosen. Plain data in, nothing
 * read.
 */
export function InspectorView({ inspection, entries, choice, onChoose }: InspectorViewProps): ReactElement {
  const [tab, setTab] = useState<Tab>('entries')
  const entry = inspection.entries.find(({ id }) => id === choice.entry)
  const choose = (next: Choice): void => {
    onChoose(next)
    setTab('detail')
  }
  return (
    <>
      <CallHeader inspection={inspection} />
      <div className="space-y-1.5">
        <WindowStrip
          shares={inspection.shares}
          window={inspection.window}
          tokens={inspection.tokens}
          chosen={choice.pane}
          onChoose={(pane) => choose({ pane })}
        />
        <PaneLegend shares={inspection.shares} chosen={choice.pane} onChoose={(pane) => choose({ pane })} />
      </div>
      <LogStrip entries={inspection.entries} chosen={choice.entry} onChoose={(id) => choose({ entry: id })} />
      <Tabs
        label="About this call"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          {
            id: 'entries',
            title: 'Entries',
            content: (
              <div className={`rounded-md border border-line ${entry ? 'h-52' : 'h-[38vh] min-h-56'}`}>
                <VerdictList
                  entries={inspection.entries}
                  chosen={choice.entry}
                  onChoose={(id) => onChoose({ entry: id })}
                />
              </div>
            ),
            below: entry && <EntryDetail inspection={inspection} entry={entry} entries={entries} />,
          },
          {
            id: 'detail',
            title: 'Chosen',
            content: <Chosen inspection={inspection} entries={entries} choice={choice} />,
          },
          { id: 'prompt', title: 'Prompt', content: <PromptView inspection={inspection} entries={entries} /> },
          { id: 'dump', title: 'Dump', content: <Dump inspection={inspection} /> },
        ]}
      />
    </>
  )
}

function Chosen({ inspection, entries, choice }: Omit<InspectorViewProps, 'onChoose'>): ReactElement {
  const entry = inspection.entries.find(({ id }) => id === choice.entry)
  if (choice.pane) return <PaneDetail inspection={inspection} pane={choice.pane} entries={entries} />
  if (entry) return <EntryDetail inspection={inspection} entry={entry} entries={entries} />
  if (choice.entry !== undefined)
    return (
      <p className="text-muted">This entry came after this call, is on another branch, or is hidden from this key.</p>
    )
  return (
    <p className="text-muted">Click a part of the window, or an entry, to see exactly what was sent of it, and why.</p>
  )
}
