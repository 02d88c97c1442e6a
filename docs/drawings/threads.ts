// Drawings of logs: branches, a crash, receipts, states.
import { arrow, box, card, type Colour, type Drawing, group, line, text } from './pen.ts'

function entry(x: number, y: number, words: string, colour: Colour = 'strong'): ReturnType<typeof group> {
  return card(x, y, 96, 34, [words], { line: colour })
}

const branches: Drawing = {
  width: 760,
  height: 240,
  title: 'A log with two branches: an edited question starts a second one, and nothing is overwritten',
  shapes: [
    entry(20, 60, 'question 1'),
    arrow(116, 77, 136, 77),
    entry(140, 60, 'answer 1'),
    arrow(236, 77, 256, 77),
    entry(260, 60, 'question 2'),
    arrow(356, 77, 376, 77),
    entry(380, 60, 'answer 2'),
    arrow(188, 94, 254, 154),
    entry(260, 150, 'question 2′', 'accent'),
    arrow(356, 167, 376, 167),
    entry(380, 150, 'answer 2′', 'accent'),
    arrow(476, 167, 496, 167),
    entry(500, 150, 'question 3', 'accent'),
    text(620, 172, 'the newest branch', { size: 12, bold: true, colour: 'accent' }),
    text(490, 82, 'stays, and can be continued', { size: 12, colour: 'muted' }),
    box(12, 50, 232, 54, { dashed: true, fill: 'page', cover: 0 }),
    text(128, 44, 'an exchange', { at: 'middle', size: 12, colour: 'muted' }),
    text(20, 222, 'Every entry names the one before it by its hash. The newest entry of a line is its head.', {
      size: 12,
      colour: 'muted',
    }),
  ],
}

function actor(x: number, words: string): ReturnType<typeof group> {
  return group([card(x - 70, 16, 140, 32, [words]), line(x, 48, x, 436, { dashed: true })])
}

const [client, one, log, two] = [90, 290, 490, 680]

const crash: Drawing = {
  width: 770,
  height: 450,
  title: 'An instance dies in the middle of a turn, and another one continues from the log',
  shapes: [
    actor(client, 'client'),
    actor(one, 'instance one'),
    actor(log, 'log'),
    actor(two, 'instance two'),
    arrow(client, 78, one, 78),
    text(190, 72, 'message', { at: 'middle', size: 12 }),
    arrow(one, 100, log, 100),
    text(390, 94, 'question, term 1', { at: 'middle', size: 12 }),
    arrow(one, 122, client, 122),
    text(190, 116, 'recorded', { at: 'middle', size: 12, colour: 'good' }),
    arrow(one, 150, log, 150),
    text(390, 144, 'call of a tool', { at: 'middle', size: 12 }),
    text(one, 190, '✕', { at: 'middle', size: 22, bold: true, colour: 'bad' }),
    text(one + 16, 188, 'killed while the tool runs', { size: 12, colour: 'bad' }),
    arrow(two, 226, log, 226),
    text(585, 220, 'term 2', { at: 'middle', size: 12 }),
    arrow(log, 248, two, 248),
    text(585, 242, 'a call without a result', { at: 'middle', size: 12 }),
    arrow(two, 282, log, 282),
    text(585, 276, 'result, or “interrupted”', { at: 'middle', size: 12 }),
    arrow(two, 312, log, 312),
    text(585, 306, 'answer, receipt', { at: 'middle', size: 12 }),
    arrow(two, 342, client, 342),
    text(290, 336, 'the stream goes on from its last position', { at: 'middle', size: 12, colour: 'good' }),
    arrow(one, 386, log - 12, 386, { dashed: true, colour: 'bad' }),
    text(one + 6, 380, 'if it was only frozen: an append', { size: 12, colour: 'muted' }),
    text(log + 12, 391, 'refused: term 1 is over', { size: 12, colour: 'bad' }),
  ],
}

const receipts: Drawing = {
  width: 760,
  height: 250,
  title:
    'A prompt is derived from the log and the settings; its hash is in the receipt, so it can be derived again and compared',
  shapes: [
    card(20, 30, 130, 54, ['log', 'up to this call']),
    card(20, 100, 130, 54, ['settings', 'window, policy, …']),
    arrow(150, 57, 216, 84),
    arrow(150, 127, 216, 104),
    card(220, 66, 130, 54, ['compile', 'a pure function']),
    arrow(350, 93, 416, 93),
    card(420, 66, 120, 54, ['prompt', 'as bytes']),
    arrow(540, 93, 606, 93),
    card(610, 66, 130, 54, ['model server', 'answers']),
    arrow(480, 120, 480, 168),
    card(400, 172, 160, 54, ['receipt', 'SHA-256, plan, tokens'], { line: 'accent' }),
    line(285, 120, 285, 199, { dashed: true, colour: 'good' }),
    arrow(285, 199, 396, 199, { dashed: true, colour: 'good' }),
    text(278, 170, 'dump: derive it again,', { at: 'end', size: 12, colour: 'good' }),
    text(278, 187, 'and compare the hash', { at: 'end', size: 12, colour: 'good' }),
  ],
}

const state: Drawing = {
  width: 760,
  height: 210,
  title:
    'A state is computed from the results of tools in the log; notes hang off answers and are quoted in later prompts',
  shapes: [
    text(20, 26, 'the log', { size: 12, colour: 'muted' }),
    ...['question', 'call', 'result', 'answer', 'note', 'question'].map((words, index) =>
      entry(20 + index * 122, 36, words, words === 'result' ? 'good' : words === 'note' ? 'digested' : 'strong'),
    ),
    arrow(312, 72, 312, 118, { colour: 'good' }),
    card(232, 122, 160, 54, ['state', '{ lamp: red, on: true }'], { line: 'good' }),
    text(232, 196, 'read at any entry, never stored', { size: 12, colour: 'muted' }),
    arrow(556, 72, 556, 118, { colour: 'digested' }),
    card(476, 122, 180, 54, ['later prompts', 'quoted as data'], { line: 'digested' }),
    text(476, 196, 'never shown to people', { size: 12, colour: 'muted' }),
  ],
}

export const threads: Readonly<Record<string, Drawing>> = { branches, crash, receipts, state }
