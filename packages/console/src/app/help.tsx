import type { ReactElement } from 'react'
import { paneLooks } from '../inspector/pane.ts'
import { verdictLooks } from '../inspector/verdict.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Which keys are there, and what do the words mean? */
export function Help({ onClose }: { readonly onClose: () => void }): ReactElement {
  return (
    <Dialog label="Keys and words" onClose={onClose} className="max-w-3xl">
      <div tabIndex={0} role="region" aria-label="Keys and words" className="max-h-[70vh] space-y-4 overflow-y-auto">
        <section className="space-y-1">
          <h2 className="text-lg font-semibold">Keys</h2>
          <dl className="grid grid-cols-[9rem_1fr] gap-x-3 gap-y-1 text-[13px]">
            {keys.map(([pressed, says]) => (
              <div key={says} className="contents">
                <dt className="space-x-1">
                  {pressed.map((key) => (
                    <kbd key={key} className="rounded border border-line px-1">
                      {key}
                    </kbd>
                  ))}
                </dt>
                <dd>{says}</dd>
              </div>
            ))}
          </dl>
        </section>
        <Words
          title="What happened to a message"
          words={Object.values(verdictLooks).map((look) => [look.name, look.says])}
        />
        <Words title="Parts of the window" words={Object.values(paneLooks).map((look) => [look.title, look.says])} />
        <Words title="Of a model call" words={terms} />
      </div>
    </Dialog>
  )
}

const keys: readonly (readonly [pressed: readonly string[], says: string])[] = [
  [['Ctrl K'], 'commands: go to a thread, search, switch the theme'],
  [['/'], 'search'],
  [['?'], 'this list'],
  [['Esc'], 'close what is open'],
  [['←', '→'], 'with the inspector open: the model call before or after'],
  [['↑', '↓'], 'in a list: the row above or below'],
  [['j', 'k'], 'in what waits: the call below or above'],
  [['a', 'r'], 'on a call that waits: approve or refuse it'],
  [['Enter'], 'in a message: send it'],
  [['Shift Enter'], 'in a message: a new line'],
]

const terms: readonly (readonly [word: string, says: string])[] = [
  ['Exchange', 'A question and all that follows it, up to the next question.'],
  [
    'Reused',
    'The beginning of the prompt that is the same as that of the previous one: a server can have it in its cache.',
  ],
  [
    'Compaction',
    'The window was full, so older messages moved into the outline. Until the next one, the prompt only grows.',
  ],
  [
    'Estimate',
    'Tokens are counted without the model’s own tokenizer, rather too high than too low. A number after × is a correction.',
  ],
  ['Read', 'How many tokens the model server says it read of the prompt.'],
  ['Unchanged', 'The client’s own messages were sent, byte for byte.'],
  ['Rewritten', 'The client’s messages did not fit, so a prompt of Minutebook was sent instead.'],
  ['Stop', 'The model had said all that it wanted to say. With “length” the answer reached its limit.'],
  ['Receipt', 'What is recorded of a model call: the hash of its prompt, its tokens, and how it ended.'],
]

function Words({
  title,
  words,
}: {
  readonly title: string
  readonly words: readonly (readonly [word: string, says: string])[]
}): ReactElement {
  return (
    <section className="space-y-1">
      <h2 className="text-[13px] font-semibold">{title}</h2>
      <dl className="grid grid-cols-[9rem_1fr] gap-x-3 gap-y-1 text-[13px]">
        {words.map(([word, says]) => (
          <div key={word} className="contents">
            <dt className="text-muted">{word}</dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
