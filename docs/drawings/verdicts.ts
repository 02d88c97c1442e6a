// A small drawing for each verdict: the message in the log, and what the prompt has of it.
import { arrow, box, type Colour, type Drawing, group, text } from './pen.ts'

/** Lines of a message as grey bars. */
function lines(x: number, y: number, widths: readonly number[], colour: Colour = 'strong'): ReturnType<typeof group> {
  return group(
    widths.map((width, index) =>
      box(x, y + index * 12, width, 5, { fill: colour, line: colour, cover: 0.45, round: 2 }),
    ),
  )
}

const whole = [150, 158, 132, 154, 90]

function verdict(name: Colour, title: string, inPrompt: readonly ReturnType<typeof group>[]): Drawing {
  return {
    width: 460,
    height: 130,
    title,
    shapes: [
      text(16, 22, 'in the log', { size: 12, colour: 'muted' }),
      box(16, 30, 182, 84),
      lines(28, 42, whole),
      arrow(204, 72, 250, 72),
      text(256, 22, 'in the prompt', { size: 12, colour: 'muted' }),
      box(256, 30, 188, 84, { fill: name, line: name, cover: 0.1 }),
      ...inPrompt,
    ],
  }
}

export const verdicts: Readonly<Record<string, Drawing>> = {
  'verdict-verbatim': verdict('verbatim', 'Verbatim: the whole message, in its place', [
    lines(268, 42, whole, 'verbatim'),
  ]),
  'verdict-clipped': verdict('clipped', 'Clipped: its head and tail, and a line that says what is missing', [
    lines(268, 42, [150], 'clipped'),
    text(268, 68, '… 1,240 tokens left out …', { size: 12, colour: 'clipped' }),
    lines(268, 80, [154, 90], 'clipped'),
  ]),
  'verdict-recalled': verdict('recalled', 'Recalled: the whole message, quoted before the latest question', [
    text(268, 50, '#12 user>', { size: 12, bold: true, colour: 'recalled' }),
    lines(268, 60, [150, 158, 132, 90], 'recalled'),
  ]),
  'verdict-digested': verdict('digested', 'Digested: one line for its exchange', [
    text(268, 64, '#12 Week 6: what to sow', { size: 12, colour: 'digested' }),
    text(268, 82, '→ spinach in bed 3', { size: 12, colour: 'digested' }),
  ]),
  'verdict-outlined': verdict('outlined', 'Outlined: only counted, in a line for several exchanges', [
    text(268, 64, '#2–#41: 20 exchanges:', { size: 12, colour: 'outlined' }),
    text(268, 82, 'Week 1 · Week 9 · …', { size: 12, colour: 'outlined' }),
  ]),
  'verdict-omitted': verdict('omitted', 'Omitted: nothing of it is in the prompt', [
    text(350, 76, 'nothing', { size: 12, at: 'middle', colour: 'omitted' }),
  ]),
  'verdict-hidden': verdict('hidden', 'Hidden: it was never meant for the prompt', [
    text(350, 70, 'nothing:', { size: 12, at: 'middle', colour: 'hidden' }),
    text(350, 87, 'never meant to be sent', { size: 12, at: 'middle', colour: 'hidden' }),
  ]),
}
