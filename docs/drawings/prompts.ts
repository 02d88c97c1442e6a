// Drawings of how a prompt is made.
import { arrow, box, card, type Drawing, group, line, piece, text } from './pen.ts'

const prompt: Drawing = {
  width: 760,
  height: 330,
  title: 'The log on top, the context window below: what each tier takes from the log',
  shapes: [
    text(20, 28, 'The log: everything that was said', { bold: true }),
    piece(20, 40, 40, 30, 'system', 'S'),
    piece(64, 40, 40, 30, 'pinned', '1'),
    piece(108, 40, 250, 30, 'outlined', 'older exchanges'),
    piece(212, 76, 44, 24, 'recalled', '#12'),
    piece(362, 40, 120, 30, 'digested', 'older'),
    piece(486, 40, 190, 30, 'verbatim', 'newest exchanges'),
    piece(680, 40, 60, 30, 'accent', 'now'),
    line(484, 30, 484, 118, { dashed: true }),
    text(478, 114, 'cut', { at: 'end', size: 12, colour: 'muted' }),
    arrow(40, 72, 46, 176),
    arrow(84, 72, 96, 176),
    arrow(160, 72, 178, 176),
    arrow(420, 72, 216, 176),
    arrow(580, 72, 370, 176),
    arrow(236, 102, 506, 176, { colour: 'recalled' }),
    arrow(710, 72, 578, 176),
    piece(20, 180, 52, 44, 'system', 'S'),
    piece(72, 180, 48, 44, 'pinned', 'P'),
    piece(120, 180, 140, 44, 'outlined', 'O'),
    piece(260, 180, 220, 44, 'verbatim', 'V'),
    piece(480, 180, 56, 44, 'recalled', 'R'),
    piece(536, 180, 84, 44, 'accent', 'L'),
    box(620, 180, 50, 44, { fill: 'page', line: 'border', round: 2 }),
    box(670, 180, 70, 44, { fill: 'page', line: 'strong', dashed: true, round: 2 }),
    text(645, 207, 'free', { at: 'middle', size: 12, colour: 'muted' }),
    text(705, 207, 'reserve', { at: 'middle', size: 12, colour: 'muted' }),
    text(20, 248, 'The context window, to scale', { bold: true }),
    text(20, 274, 'S system messages · P pinned: the first question · O outline: digests and chapters', {
      size: 12,
      colour: 'muted',
    }),
    text(
      20,
      292,
      'V verbatim: the newest exchanges · R recalled: what the question asks about · L latest: the current turn',
      { size: 12, colour: 'muted' },
    ),
    text(20, 310, 'reserve: kept free for the answer', { size: 12, colour: 'muted' }),
  ],
}

/** One prompt as a bar that grows from its beginning. */
function bar(y: number, name: string, kept: number, added: number, isNew = false): ReturnType<typeof group> {
  return group([
    text(90, y + 17, name, { at: 'end', size: 12, colour: 'muted' }),
    piece(96, y, 60, 24, 'good'),
    piece(156, y, kept, 24, isNew ? 'clipped' : 'good', isNew ? 'read again' : 'in the cache'),
    piece(156 + kept, y, added, 24, 'clipped', ''),
  ])
}

const compaction: Drawing = {
  width: 760,
  height: 356,
  title: 'Prompts of successive turns: each begins with the one before, until a compaction makes room for many turns',
  shapes: [
    text(20, 28, 'Prompts of one thread, turn after turn', { bold: true }),
    bar(44, 'turn 30', 380, 40),
    bar(74, 'turn 31', 420, 40),
    bar(104, 'turn 32', 460, 40),
    line(660, 36, 660, 262, { dashed: true }),
    text(666, 50, 'window less', { size: 12, colour: 'muted' }),
    text(666, 66, 'reserve', { size: 12, colour: 'muted' }),
    text(90, 156, 'compaction', { at: 'end', size: 12, bold: true }),
    line(96, 152, 650, 152, { dashed: true, colour: 'bad' }),
    bar(170, 'turn 33', 190, 40, true),
    bar(200, 'turn 34', 230, 40),
    bar(230, 'turn 35', 270, 40),
    piece(96, 278, 18, 18, 'good'),
    text(122, 292, 'the same bytes as before: the model server has them in its cache', { size: 12, colour: 'muted' }),
    piece(96, 302, 18, 18, 'clipped'),
    text(122, 316, 'new: the server must read it', { size: 12, colour: 'muted' }),
    text(122, 340, 'After a compaction the window is emptier on purpose: the next turns fill it.', {
      size: 12,
      colour: 'muted',
    }),
  ],
}

const counting: Drawing = {
  width: 760,
  height: 230,
  title: 'What was predicted of a prompt and what the server says that it read, with their meanings',
  shapes: [
    card(20, 30, 150, 60, ['prompt', 'messages and tools']),
    arrow(170, 60, 226, 60),
    card(230, 30, 160, 60, ['counter', 'predicts, with a margin']),
    arrow(390, 60, 446, 60),
    card(450, 30, 140, 60, ['model server', 'counts itself']),
    arrow(590, 60, 636, 60),
    card(640, 30, 100, 60, ['reported', 'in the receipt']),
    line(690, 90, 690, 128, { dashed: true }),
    line(690, 128, 310, 128, { dashed: true }),
    arrow(310, 128, 310, 94, { dashed: true }),
    text(500, 146, 'learnt: the estimate is scaled for this model', { at: 'middle', size: 12, colour: 'muted' }),
    text(20, 184, 'read grows with what was sent', { size: 12, bold: true, colour: 'good' }),
    text(260, 184, 'truncated: no', { size: 12, colour: 'muted' }),
    text(20, 204, 'more was sent, no more was read', { size: 12, bold: true, colour: 'bad' }),
    text(260, 204, 'truncated: yes. The window is computed from the counts', { size: 12, colour: 'muted' }),
  ],
}

const templates: Drawing = {
  width: 760,
  height: 240,
  title: 'A profile says what a chat template refuses; the compiler brings the messages into that shape',
  shapes: [
    text(20, 28, 'As compiled', { bold: true }),
    ...['system', 'user', 'user: outline', 'assistant', 'system: marker', 'user'].map((role, index) =>
      card(20, 40 + index * 31, 150, 26, [role], { fill: 'sunken', line: 'border' }),
    ),
    arrow(176, 130, 252, 130),
    card(256, 92, 190, 76, ['profile', 'one system message, first', 'user and assistant alternate']),
    arrow(446, 130, 522, 130),
    text(530, 28, 'As this template takes it', { bold: true }),
    ...['system + marker', 'user + outline', 'assistant', 'user'].map((role, index) =>
      card(530, 40 + index * 31, 200, 26, [role], { fill: 'sunken', line: 'border' }),
    ),
    text(530, 190, 'nothing is lost: texts are joined', { size: 12, colour: 'muted' }),
    text(530, 208, 'in their order, with a line between', { size: 12, colour: 'muted' }),
  ],
}

export const prompts: Readonly<Record<string, Drawing>> = { prompt, compaction, counting, templates }
