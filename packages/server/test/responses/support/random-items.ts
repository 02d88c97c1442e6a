import fc from 'fast-check'

/** An item of a request or a response. */
export type Item = Readonly<Record<string, unknown>>

const text = fc.oneof(fc.string({ maxLength: 24 }), fc.constantFrom('Is the lamp lit?', 'ſK😀\n\\u0000', '{"a":[1]}'))
const id = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '2'), minLength: 1, maxLength: 6 })
const optionalId = (prefix: string): fc.Arbitrary<object> =>
  fc.option(id, { nil: undefined }).map((each) => (each === undefined ? {} : { id: `${prefix}_${each}` }))

const parts = fc.array(
  fc.oneof(
    text.map((said) => ({ type: 'input_text', text: said })),
    fc.constant({ type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' }),
    fc.constant({ type: 'input_image', file_id: 'file_1' }),
    fc.constant({ type: 'input_file', filename: 'a.txt', file_data: 'data:text/plain;base64,YQ==' }),
  ),
  { minLength: 1, maxLength: 3 },
)

const sent: fc.Arbitrary<Item[]> = fc
  .tuple(fc.constantFrom('user', 'user', 'user', 'developer', 'system'), fc.oneof(text, parts), fc.boolean())
  .map(([role, content, isTyped]) => [{ ...(isTyped && { type: 'message' }), role, content }])

const said: fc.Arbitrary<Item> = fc
  .tuple(
    optionalId('msg'),
    text.filter((each) => each !== ''),
    fc.boolean(),
  )
  .map(([named, content, isPlain]) =>
    isPlain
      ? { role: 'assistant', content }
      : {
          type: 'message',
          ...named,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: content, annotations: [] }],
        },
  )

const sealed: fc.Arbitrary<Item[]> = fc
  .option(
    fc.tuple(id, text).map(([each, thoughts]) => ({
      type: 'reasoning',
      id: `rs_${each}`,
      summary: [{ type: 'summary_text', text: thoughts }],
      encrypted_content: `sealed ${each}`,
    })),
    { nil: undefined },
  )
  .map((item) => (item ? [item] : []))

/** Calls, after reasoning or not, and their results in the same order. The ids are set later, so that they differ. */
const called: fc.Arbitrary<Item[]> = fc
  .tuple(
    sealed,
    fc.array(said, { maxLength: 1 }),
    fc.array(fc.tuple(fc.boolean(), optionalId('fc'), text, text), { minLength: 1, maxLength: 3 }),
  )
  .map(([reasoning, words, calls]) => [
    ...reasoning,
    ...words,
    ...calls.map(([isCustom, named, given], place) =>
      isCustom
        ? { type: 'custom_tool_call', ...named, call_id: place, name: 'apply_patch', input: given }
        : { type: 'function_call', ...named, call_id: place, name: 'look', arguments: JSON.stringify({ given }) },
    ),
    ...calls.map(([isCustom, , , output], place) => ({
      type: isCustom ? 'custom_tool_call_output' : 'function_call_output',
      call_id: place,
      output,
    })),
  ])

const answered: fc.Arbitrary<Item[]> = fc
  .tuple(sealed, fc.boolean(), said)
  .map(([reasoning, searched, words]) => [
    ...reasoning,
    ...(searched ? [{ type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search' } }] : []),
    words,
  ])

/** The input of a request: what was said, calls with their results, sealed reasoning in front of what it led to. */
export function items(limits: { readonly maxLength: number }): fc.Arbitrary<Item[]> {
  return fc
    .array(
      fc.oneof(
        sent,
        called,
        fc.tuple(answered, sent).map((both) => both.flat()),
      ),
      limits,
    )
    .map((groups) =>
      groups.flatMap((group, number) =>
        group.map((item) =>
          typeof item['call_id'] === 'number' ? { ...item, call_id: `call_${number}_${item['call_id']}` } : item,
        ),
      ),
    )
}
