import { Link, useRouter } from '@tanstack/react-router'
import { verdictText, withoutText } from '@minutebook/inspect'
import type { ReactElement } from 'react'
import type { Entry } from '../api/entries.ts'
import { useLane, type Lane as LaneData, type LaneCall } from '../api/message-lane.ts'
import { CopyLink } from '../ui/copy.tsx'
import { Failure } from '../ui/placeholders.tsx'
import { CopyPicture } from '../picture/picture.tsx'
import { readable } from '../ui/text.ts'
import { KeptBy } from './kept-by.tsx'
import { LaneBoxes } from './lane-boxes.tsx'
import { laneDrawing } from './lane-picture.ts'

interface LaneProps {
  readonly thread: string
  readonly entry: string
  /** The branch whose calls are shown. Default: the newest one that has the message. */
  readonly head?: string | undefined
  /** The call that is on the screen. If it did not have the message, what would have kept it is said of this call. */
  readonly receipt?: string | undefined
  /** The entries of the branch, for the words of the question and of its answer. */
  readonly entries: readonly Entry[]
  /** Whether it has a heading. Default: true. */
  readonly titled?: boolean
}

/** Did the model have it? One message in all calls after it, why a call did not have it, and what would have kept it. */
export function Lane({ thread, entry, head, receipt, entries, titled = true }: LaneProps): ReactElement {
  const all = useLane(thread, entry, { head })
  const shown = all.data?.calls.find((call) => call.receipt === receipt)
  const isOther = shown !== undefined && shown.since !== undefined && shown.receipt !== all.data?.without?.receipt
  // About the newest call without the message, the first answer says it already.
  const other = useLane(thread, entry, { head, receipt: isOther ? receipt : undefined })
  if (all.error) return <Failure error={all.error} onRetry={() => void all.refetch()} />
  if (!all.data) return <p className="text-xs text-muted">Looking through the model calls…</p>
  const asked = isOther ? other.data : undefined
  const lane = asked?.without?.receipt === receipt && asked ? asked : all.data
  const call = lane.calls.find((each) => each.receipt === lane.without?.receipt)
  return (
    <section aria-label="Did the model have it?" data-lane={entry} className="space-y-2">
      {titled && <h4 className="font-semibold">Did the model have it?</h4>}
      {lane.calls.length === 0 ? (
        <p className="text-xs text-muted">No model call came after this message yet.</p>
      ) : (
        <>
          <LaneBoxes lane={lane} head={head} receipt={receipt} />
          <Share lane={lane} head={head} receipt={receipt} entries={entries} />
        </>
      )}
      {lane.calls.length > 0 && !call && <p>Every call since then had it, or a part of it.</p>}
      {call && (
        <div className="grid gap-2 @2xl:grid-cols-2">
          <Without lane={lane} call={call} entries={entries} head={head} receipt={receipt} />
          <KeptBy lane={lane} call={call} text={entries.find(({ id }) => id === entry)?.text} />
        </div>
      )}
    </section>
  )
}

/** The lane for another person: its address, with the call that is shown or that matters most, and a picture. */
function Share({ lane, head, receipt, entries }: Omit<LaneProps, 'thread' | 'entry'> & { readonly lane: LaneData }) {
  const { buildLocation } = useRouter()
  const { thread, entry, calls, without } = lane
  const link = (): string => {
    const { href } = buildLocation({
      to: '/threads/$thread/calls/$receipt',
      params: { thread, receipt: receipt ?? without?.receipt ?? calls.at(-1)!.receipt },
      search: { ...(head !== undefined && { head }), at: entry },
    })
    return location.origin + href
  }
  return (
    <div className="-ml-1.5 flex flex-wrap">
      <CopyLink link={link} label="Copy link to this message" />
      <CopyPicture
        name={`message-${entry}`}
        label="Copy picture of the boxes"
        picture={() => ({
          title: 'Did the model have it?',
          drawing: laneDrawing(
            lane,
            entries.find(({ id }) => id === entry),
          ),
        })}
      />
    </div>
  )
}

/** The call that was answered without the message: its words, since when, and why. */
function Without({
  lane,
  call,
  entries,
  head,
  receipt,
}: Pick<LaneProps, 'entries' | 'head' | 'receipt'> & {
  readonly lane: LaneData
  readonly call: LaneCall
}): ReactElement {
  const asked = entries.findIndex(({ turn }) => turn === call.turn)
  const question = entries[asked]
  const answer =
    question &&
    entries.slice(asked + 1, asked + mostSteps).find(({ kind, text }) => kind === 'assistant' && text !== '')
  return (
    <div data-answered-without={call.turn} className="space-y-1.5 rounded-md border border-bad/50 p-2.5">
      <h5 className="font-semibold text-bad">Turn {call.turn} was answered without it</h5>
      {question && (
        <p dir="auto" className="line-clamp-4 [overflow-wrap:anywhere]">
          “{excerpt(question.text)}”{answer && ` → “${excerpt(answer.text)}”`}
        </p>
      )}
      <p className="text-muted">
        <span className="font-medium">Why:</span> {withoutText(call)}
        {call.verdict !== 'omitted' && ` (${verdictText(call.verdict)}: none of its words were sent)`}
        {call.since !== undefined && call.since < call.turn && ` No prompt had it since turn ${call.since}.`}
      </p>
      {call.receipt !== receipt && (
        <Link
          to="/threads/$thread/calls/$receipt"
          params={{ thread: lane.thread, receipt: call.receipt }}
          search={{ ...(head !== undefined && { head }), at: lane.entry }}
          className="text-accent underline underline-offset-2"
        >
          What the model saw at turn {call.turn}
        </Link>
      )}
    </div>
  )
}

/** Entries of a turn that are looked at for its answer. */
const mostSteps = 64

function excerpt(text: string): string {
  const short = readable(text.slice(0, 160)).trim()
  return text.length > 160 ? `${short}…` : short
}
