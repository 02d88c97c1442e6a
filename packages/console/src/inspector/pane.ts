import { receiptFacts, type InspectedPiece, type Inspection } from '../api/calls.ts'

/** A pane: a part of the window as the inspector draws it. */
export type PaneName =
  | 'system'
  | 'tools'
  | 'notes'
  | 'pinned'
  | 'outline'
  | 'verbatim'
  | 'recalled'
  | 'latest'
  | 'free'
  | 'reserve'

interface PaneLook {
  readonly letter: string
  readonly title: string
  readonly says: string
}

/** Every pane, in the order of the prompt. */
export const paneLooks: Readonly<Record<PaneName, PaneLook>> = {
  system: { letter: 'S', title: 'System', says: 'What the operator says first, in every prompt.' },
  tools: { letter: 'T', title: 'Tools', says: 'The schemas of the tools that the model may call.' },
  notes: { letter: 'N', title: 'Notes', says: 'The model’s newest notes to self, and the journal.' },
  pinned: { letter: 'P', title: 'Pinned', says: 'The first user message, and messages that someone pinned.' },
  outline: {
    letter: 'O',
    title: 'Outline',
    says: 'Older messages, summarised, with a marker where something is left out.',
  },
  verbatim: { letter: 'V', title: 'Verbatim', says: 'The newest exchanges, whole.' },
  recalled: { letter: 'R', title: 'Recalled', says: 'What the question asks about, brought back and quoted.' },
  latest: { letter: 'L', title: 'Latest', says: 'The current turn: the question and its newest tool calls.' },
  free: { letter: '·', title: 'Free', says: 'Room that nothing took.' },
  reserve: { letter: '–', title: 'Reserve', says: 'Room that is kept for the answer.' },
}

export function isPane(name: string): name is PaneName {
  return Object.hasOwn(paneLooks, name)
}

const tiersOf: Readonly<Record<PaneName, readonly string[]>> = {
  system: ['system'],
  tools: [],
  notes: ['notes'],
  pinned: ['pinned'],
  outline: ['outline', 'marker'],
  verbatim: ['verbatim'],
  recalled: ['recall'],
  latest: ['current'],
  free: [],
  reserve: [],
}

/** A segment of a message of the prompt. */
export interface PlacedPiece extends InspectedPiece {
  readonly role: string
  /** The index of its message in the prompt. `part`: its index in the message. */
  readonly message: number
  readonly part: number
  /** Whether the prompt before had the same message in the same position. */
  readonly reused: boolean
}

/** All segments of a prompt, in order. */
export function piecesOf({ messages, reused }: Pick<Inspection, 'messages' | 'reused'>): PlacedPiece[] {
  return messages.flatMap(({ role, pieces }, message) =>
    pieces.map((piece, part) => ({ ...piece, role, message, part, reused: message < reused })),
  )
}

/**
 * The segments of a pane. A request that passed unchanged has no plan: its current turn begins with the last user
 * message.
 */
export function piecesIn(inspection: Inspection, pane: PaneName): PlacedPiece[] {
  const pieces = piecesOf(inspection)
  if (receiptFacts(inspection.receipt).mode !== 'unchanged')
    return pieces.filter(({ tier }) => tier !== null && tiersOf[pane].includes(tier))
  const latest = inspection.messages.findLastIndex(({ role }) => role === 'user')
  return pieces.filter(({ message, tier }) => paneAsSent(tier, message >= latest) === pane)
}

function paneAsSent(tier: string | null, isLatest: boolean): PaneName {
  if (tier === 'system') return 'system'
  return isLatest ? 'latest' : 'verbatim'
}

/** The segments that contain or quote an entry. */
export function piecesWith(inspection: Inspection, entry: string): PlacedPiece[] {
  return piecesOf(inspection).filter(({ entries }) => entries.includes(entry))
}
