import { checkDefinition, readExperiment } from '@minutebook/experiment'
import { describe, expect, test } from 'vitest'
import { complaints, problemsIn } from './support/problems.ts'
import { stand } from './support/stand.ts'
import { canBeDoneIn } from '../../../tests/support/stopwatch.ts'

/** A right experiment, into which a wrong line is put: it stands on line 8 and behind. */
const around = (wrong: string): string => `name: one
environment:
  cash: 100
  weather: sunny
  stock: { lemons: 3 }
participants:
  ann: { model: small, tools: [] }
${wrong}`

const cases: readonly (readonly [what: string, wrong: string, complaint: string])[] = [
  ['an unknown field', 'gaols: {}', 'a.yaml:8:1 gaols: there is no such field; did you mean "goals"?'],
  [
    'an unknown field like no other',
    'xyzzy: 1',
    'a.yaml:8:1 xyzzy: there is no such field; there is name, description, seed, environment, participants, rounds, tools, hooks, goals, limits, prices.',
  ],
  ['a value of a wrong type', 'seed: seven', 'a.yaml:8:7 seed: must be a whole number; write one such as 7.'],
  [
    'a limit that is none',
    'limits: { rounds: 0 }',
    'a.yaml:8:19 limits.rounds: must be a whole number, 1 or more; write one such as 30.',
  ],
  [
    'a misspelt limit',
    'limits: { round: 3 }',
    'a.yaml:8:11 limits.round: there is no such field; did you mean "rounds"?',
  ],
  [
    'a limit of cost without prices',
    'limits: { cost: 3 }',
    'a.yaml:8:17 limits.cost: nothing is known of the cost of "small"; write its price under "prices".',
  ],
  [
    'a price of a model that nobody has',
    'prices: { smal: { input: 1, output: 2 } }',
    'a.yaml:8:11 prices.smal: there is no participant with the model "smal"; did you mean "small"?',
  ],
  [
    'a price that is half',
    'prices: { small: { input: 1 } }',
    'a.yaml:8:18 prices.small.output: is missing; write the price of a million tokens.',
  ],
  [
    'a play that there is not',
    'rounds: [{ play: chess }]',
    'a.yaml:8:18 rounds[0].play: must be sequence or parallel or addressed; write one of them.',
  ],
  [
    'a play that is misspelt',
    'rounds: [{ play: paralel }]',
    'a.yaml:8:18 rounds[0].play: must be sequence or parallel or addressed; did you mean "parallel"?',
  ],
  [
    'a parameter beside the properties',
    'tools: { buy: { parameters: { type: object, properties: { count: { type: integer } }, count: { maximum: 2 } } } }',
    'a.yaml:8:94 tools.buy.parameters.count: is next to "properties", where it has no effect; write it as properties.count.',
  ],
  ['no rounds', 'rounds: []', 'a.yaml:8:9 rounds: is empty; write a round, or leave it out.'],
  [
    'a round of nobody',
    'rounds: [{ participants: [] }]',
    'a.yaml:8:26 rounds[0].participants: is empty; name a participant, or leave it out for all.',
  ],
  [
    'a round of somebody unknown',
    'rounds: [{ participants: [anne] }]',
    'a.yaml:8:27 rounds[0].participants[0]: there is no participant "anne"; did you mean "ann"?',
  ],
  [
    'somebody who plays twice',
    'rounds: [{ participants: [ann, ann] }]',
    'a.yaml:8:32 rounds[0].participants[1]: "ann" is listed twice; leave one of them.',
  ],
  [
    'a hook for an unknown variable',
    'hooks: { roundEnd: { csh: "1" } }',
    'a.yaml:8:22 hooks.roundEnd.csh: there is no variable "csh"; did you mean "cash"?',
  ],
  [
    'an unknown hook',
    'hooks: { onRound: {} }',
    'a.yaml:8:10 hooks.onRound: there is no such field; there is roundStart, roundEnd.',
  ],
  [
    'a change of a wrong type',
    `hooks: { roundEnd: { cash: "'much'" } }`,
    'a.yaml:8:28 hooks.roundEnd.cash: "cash" is a number, and this gives a text; give a number.',
  ],
  [
    'a text that is taken for a variable',
    'hooks: { roundEnd: { weather: rainy } }',
    `a.yaml:8:31 hooks.roundEnd.weather: there is no variable "rainy"; there is cash, weather, stock, round; a text needs quotes of its own: "'rainy'".`,
  ],
  [
    'a goal that is no condition',
    'goals: { success: { rich: cash } }',
    'a.yaml:8:27 goals.success.rich: must be true or false, and gives a number; compare it, such as "cash >= 1000".',
  ],
  [
    'a goal of an unknown variable',
    'goals: { success: { rich: cahs > 1 } }',
    'a.yaml:8:27 goals.success.rich: there is no variable "cahs"; did you mean "cash"?',
  ],
  [
    'a goal with an unknown function',
    'goals: { success: { rich: "rond(cash) > 1" } }',
    'a.yaml:8:28 goals.success.rich: there is no function "rond"; did you mean "round"?',
  ],
  [
    'a goal that rolls dice',
    'goals: { success: { lucky: "cash > 1 && random() > 0.5" } }',
    'a.yaml:8:41 goals.success.lucky: there is no chance here; ask it in a hook or in what a tool changes, and keep the outcome in a variable.',
  ],
  [
    'a goal that compares apples and pears',
    'goals: { success: { rich: cash >= weather } }',
    'a.yaml:8:27 goals.success.rich: ">=" compares two numbers or two texts, not a number and a text; write "string(x)" to make a text of a number, "double(x)" to make a number of a text.',
  ],
  [
    'an expression that cannot be read',
    'goals: { success: { rich: cash = 3 } }',
    'a.yaml:8:32 goals.success.rich: cannot be read from "= 3" on; write "==" to compare.',
  ],
  [
    'an expression that ends too early',
    'goals: { success: { rich: cash > } }',
    'a.yaml:8:33 goals.success.rich: ends too early; complete it.',
  ],
  [
    'an expression that is not closed',
    'goals: { success: { rich: "(cash > 1" } }',
    'a.yaml:8:37 goals.success.rich: ends too early; write ")" behind it.',
  ],
  [
    'a condition without its other side',
    'goals: { success: { rich: "cash > 1 ? true)" } }',
    'a.yaml:8:43 goals.success.rich: cannot be read from ")" on; write ":" before that.',
  ],
  [
    'an empty expression',
    'goals: { success: { rich: "" } }',
    'a.yaml:8:28 goals.success.rich: is empty; write an expression such as "cash >= 1000".',
  ],
  [
    'an expression on many lines, where its value stands',
    'goals:\n  success:\n    rich: |\n      cash >\n      csh',
    'a.yaml:10:11 goals.success.rich: there is no variable "csh"; did you mean "cash"?',
  ],
  [
    'a field of a number',
    'goals: { success: { rich: cash.dollars > 1 } }',
    'a.yaml:8:32 goals.success.rich: there is no field "dollars" in a number; only a map has fields.',
  ],
  [
    'a tool with input that it does not take',
    'tools: { buy: { parameters: { count: integer }, changes: { cash: cash - input.cuont } } }',
    'a.yaml:8:79 tools.buy.changes.cash: there is no "cuont" in input; did you mean "count"?',
  ],
  [
    'a tool with a parameter of an unknown type',
    'tools: { buy: { parameters: { count: int } } }',
    'a.yaml:8:38 tools.buy.parameters.count: must be a type, or a JSON Schema; write it such as integer, or { type: integer, minimum: 1 }.',
  ],
  [
    'a requirement that is no condition',
    'tools: { buy: { require: [{ when: cash, otherwise: No. }] } }',
    'a.yaml:8:35 tools.buy.require[0].when: must be true or false, and gives a number; compare it, such as "cash >= 1000".',
  ],
  [
    'a requirement without words',
    'tools: { buy: { require: [{ when: cash > 1 }] } }',
    'a.yaml:8:27 tools.buy.require[0].otherwise: is missing; write why it cannot be done.',
  ],
  [
    'a change of an unknown variable by a tool',
    'tools: { buy: { changes: { csh: 1 } } }',
    'a.yaml:8:28 tools.buy.changes.csh: there is no variable "csh"; did you mean "cash"?',
  ],
  [
    'a tool that looks at a result that it has not',
    'tools: { buy: { changes: { cash: result } } }',
    `a.yaml:8:34 tools.buy.changes.cash: there is no variable "result"; there is cash, weather, stock, round, input, participant; a text needs quotes of its own: "'result'".`,
  ],
  [
    'a tool run by two',
    'tools: { buy: { use: shop, module: ./a.ts#b } }',
    'a.yaml:8:15 tools.buy: it is run by module and by use; leave one of them.',
  ],
  [
    'a module outside',
    'tools: { buy: { module: ../a.ts#b } }',
    'a.yaml:8:25 tools.buy.module: must be a file next to this one and what it exports; write it such as ./tools.ts#forecast.',
  ],
  [
    'an address that is none',
    'tools: { buy: { parameters: {}, http: { url: "file:///etc/passwd" } } }',
    'a.yaml:8:46 tools.buy.http.url: must be an address that begins with http:// or https:// and holds no password; secrets go into headers, as ${NAME}.',
  ],
  [
    'an address without parameters',
    'tools: { buy: { http: { url: "https://a.example" } } }',
    'a.yaml:8:15 tools.buy: it has no parameters; write them, or "parameters: {}" where it needs none.',
  ],
  [
    'an MCP server without a place',
    'tools: { buy: { mcp: { tool: buy } } }',
    'a.yaml:8:22 tools.buy.mcp: must have either command or url; write one of them.',
  ],
  [
    'a result of a tool that somebody runs',
    'tools: { buy: { use: shop, result: "1" } }',
    'a.yaml:8:28 tools.buy.result: what it gives is said by who runs it; leave it out; "changes" can use what it gives as result.',
  ],
  [
    'a timeout of expressions',
    'tools: { buy: { timeout: 5 } }',
    'a.yaml:8:17 tools.buy.timeout: only a tool that is run has this; leave it out.',
  ],
  [
    'a tool called tell',
    'tools: { tell: { result: "1" } }',
    'a.yaml:8:10 tools.tell: participants have a tool "tell" already; choose another name.',
  ],
  [
    'a tool whose name no model can call',
    'tools: { buy lemons: {} }',
    'a.yaml:8:10 tools["buy lemons"]: cannot be a name; write a letter, and up to 63 letters, digits, "_" or "-" behind it.',
  ],
  ['a key twice', 'seed: 1\nseed: 2', 'a.yaml:9:1 this is not YAML: map keys must be unique; leave one of them.'],
  [
    'what is no YAML',
    'goals: { success: {',
    'a.yaml:8:20 this is not YAML: flow map in block collection must be sufficiently indented and end with a }; indent it like its neighbours, with spaces.',
  ],
]

test.each(cases)('%s', (_, wrong, complaint) => {
  expect(complaints(around('seed: 1'))).toEqual([])
  expect(complaints(around(wrong))[0]).toBe(complaint)
})

const wholes: readonly (readonly [what: string, text: string, complaints: readonly string[]])[] = [
  ['an empty file', '', ['a.yaml:1:1 must be an experiment; write name and participants at least.']],
  ['a text', 'hello', ['a.yaml:1:1 must be an experiment; write name and participants at least.']],
  ['nobody', 'name: one\nparticipants: {}', ['a.yaml:2:15 participants: is empty; write one participant at least.']],
  [
    'no participants',
    'name: one',
    ['a.yaml:1:1 participants: is missing; write them such as "alice: { model: gemma3:4b }".'],
  ],
  [
    'a participant without a model',
    'name: one\nparticipants:\n  ann: {}',
    [
      'a.yaml:3:8 participants.ann.model: is missing; write one such as gemma3:4b, or "person: true" if a person answers.',
    ],
  ],
  [
    'a person with what only a model can have',
    'name: one\nparticipants:\n  ann:\n    person: true\n    model: x\n    tools: []\n  bob: { person: no }',
    [
      'a.yaml:5:5 participants.ann.model: a person has no model; leave it out, or leave out "person".',
      'a.yaml:6:5 participants.ann.tools: a person has no tools; leave it out, or leave out "person".',
      'a.yaml:7:18 participants.bob.person: must be true; leave it out if a model answers.',
    ],
  ],
  [
    'a misspelt model, said once',
    'name: one\nparticipants:\n  ann: { modle: x }',
    ['a.yaml:3:10 participants.ann.modle: there is no such field; did you mean "model"?'],
  ],
  [
    'a model with a misspelt option',
    'name: one\nparticipants:\n  ann: { model: { name: x, optons: {} } }',
    ['a.yaml:3:28 participants.ann.model.optons: there is no such field; did you mean "options"?'],
  ],
  [
    'a name of a participant',
    'name: one\nparticipants:\n  "ann b": { model: x }',
    [
      'a.yaml:3:3 participants["ann b"]: cannot be a name; write a letter, and up to 39 letters, digits or "_" behind it.',
    ],
  ],
  [
    'what is wrong with one, and with another beside it',
    'name: one\nparticipants:\n  ann: { xyz: 1 }\n  bob: { model: x, tells: [an] }',
    [
      'a.yaml:3:8 participants.ann.model: is missing; write one such as gemma3:4b, or "person: true" if a person answers.',
      'a.yaml:3:10 participants.ann.xyz: there is no such field; there is system, model, person, policy, tools, sees, hears, tells, history.',
      'a.yaml:4:28 participants.bob.tells[0]: there is no other participant "an"; did you mean "ann"?',
    ],
  ],
  [
    'what follows from nothing: a price that is wrong is not missing too',
    'name: one\nparticipants: { ann: { model: x } }\nlimits: { cost: 1 }\nprices: { x: { input: -1, output: 1 } }',
    ['a.yaml:4:23 prices.x.input: must be a number, 0 or more; write the price of a million tokens.'],
  ],
  [
    'what is wrong beside what is missing',
    'name: one\nenvironment: { cash: 1 }\nparticipants: { ann: { model: x } }\ntools: { it: { require: [{}], changes: { csh: 1 } } }',
    [
      'a.yaml:4:26 tools.it.require[0].when: is missing; write it in quotes, such as "cash >= 1000".',
      'a.yaml:4:26 tools.it.require[0].otherwise: is missing; write why it cannot be done.',
      'a.yaml:4:42 tools.it.changes.csh: there is no variable "csh"; did you mean "cash"?',
    ],
  ],
  [
    'a value that is too deep',
    `name: one\nenvironment: { deep: { initial: ${'['.repeat(34)}${']'.repeat(34)} } }\nparticipants: { ann: { model: x } }`,
    [
      'a.yaml:2:33 environment.deep.initial: must be plain data; write numbers, texts, true, false, lists and maps, at most 32 deep.',
    ],
  ],
  [
    'a text that is too long',
    `name: one # ${'x'.repeat(1_000_000)}\nparticipants: { ann: { model: x } }`,
    ['a.yaml:1:1 is longer than 200000 characters; shorten it.'],
  ],
  [
    'a message without a role',
    'name: one\nparticipants:\n  ann: { model: x, history: [{ content: Hello }] }',
    ['a.yaml:3:30 participants.ann.history[0].role: is missing; write one of them.'],
  ],
  [
    'variables',
    'name: one\nenvironment:\n  round: 1\n  size: { type: integer, initial: 1.5 }\n  mood: { type: txt, initial: a }\n  cash: { type: number }\nparticipants: { ann: { model: x, sees: [mod, cash] } }',
    [
      'a.yaml:3:3 environment.round: "round" means something else in expressions; choose another name.',
      'a.yaml:4:9 environment.size: must be a whole number, and is a number with a fraction at first; fix its type or its initial value.',
      'a.yaml:5:17 environment.mood.type: must be number or integer or text or boolean or list or map; did you mean "text"?',
      'a.yaml:6:9 environment.cash.initial: is missing; write numbers, texts, true, false, lists and maps, at most 32 deep.',
      'a.yaml:7:41 participants.ann.sees[0]: there is no variable "mod"; did you mean "mood"?',
    ],
  ],
  [
    'all that is wrong, in the order of lines, and nothing that follows from it',
    stand
      .replace('sees: [cash,', 'sees: [csh,')
      .replace('type: integer', 'type: int')
      .replace('limits:', 'limts:')
      .replace('cash < 0', "cash < 'a'"),
    [
      'a.yaml:12:12 participants.vendor.sees[0]: there is no variable "csh"; did you mean "cash"?',
      'a.yaml:17:34 tools.buy_lemons.parameters.count.type: must be string or number or integer or boolean or array or object; write one of them.',
      'a.yaml:28:22 goals.failure.broke: "<" compares two numbers or two texts, not a number and a text; write "string(x)" to make a text of a number, "double(x)" to make a number of a text.',
      'a.yaml:29:1 limts: there is no such field; did you mean "limits"?',
    ],
  ],
]

test.each(wholes)('a whole file: %s', (_, text, expected) => {
  expect(complaints(text)).toEqual(expected)
})

const unquoted = 'YAML takes a part of this expression for something else; put the expression in quotes.'

test.each([
  [
    'a condition in a block',
    'goals:\n  success:\n    rich: cash > 1 ? true : false\nseed: 1',
    [`a.yaml:10:11 ${unquoted}`],
  ],
  [
    'a condition in braces',
    'hooks: { roundEnd: { cash: cash > 1 ? 1 : 2, weather: "\'a\'" } }\nseed: 1',
    [`a.yaml:8:28 ${unquoted}`],
  ],
  ['a list', 'hooks:\n  roundEnd:\n    cash: [1, 2][0]\n    weather: "\'a\'"\nseed: 1', [`a.yaml:10:17 ${unquoted}`]],
  [
    'a list in braces',
    "hooks: { roundEnd: { weather: random.pick(['a', 'b']), cash: 1 } }\nseed: 1",
    [`a.yaml:8:43 ${unquoted}`],
  ],
  [
    'a field of a map',
    "hooks: { roundEnd: { cash: stock['lemons'], weather: \"'a'\" } }\nseed: 1",
    [`a.yaml:8:33 ${unquoted}`],
  ],
  ['a map', "hooks:\n  roundEnd:\n    cash: {'a': 1}.a\nseed: 1", [`a.yaml:10:19 ${unquoted}`]],
  ['a text first', "hooks:\n  roundEnd:\n    weather: 'a' + weather\nseed: 1", [`a.yaml:10:18 ${unquoted}`]],
  [
    'a denial, of which YAML would leave the end',
    'goals:\n  success:\n    rich: !open && true\nseed: 1',
    [`a.yaml:10:11 ${unquoted}`],
  ],
  [
    'two of them',
    'goals:\n  success:\n    rich: cash > 1 ? true : false\n    poor: cash < 1 ? true : false',
    [`a.yaml:10:11 ${unquoted}`, `a.yaml:11:11 ${unquoted}`],
  ],
  [
    'and what is none',
    'description: Note: do this',
    [
      'a.yaml:8:14 this is not YAML: nested mappings are not allowed in compact mappings; put a text that holds ": " in quotes.',
    ],
  ],
])('an expression without its quotes, one problem a line: %s', (_, wrong, expected) => {
  expect(complaints(around(wrong))).toEqual(expected)
})

test.each([
  [
    'a prototype',
    around('prices:\n  __proto__: 1'),
    ['a.yaml:9:3 prices.__proto__: "__proto__" cannot be the name of a field; choose another name.'],
  ],
  [
    'a prototype in a list',
    around('rounds:\n  - ask: Now.\n  - { "__proto__": 1 }'),
    ['a.yaml:10:7 rounds[1].__proto__: "__proto__" cannot be the name of a field; choose another name.'],
  ],
  [
    'what nests deep',
    around(`seed: ${'['.repeat(60)}${']'.repeat(60)}`),
    ['a.yaml:8:10 seed[0][0][0]: is nested too deep: more than 40 levels; write it flatter.'],
  ],
  [
    'what nests deeper than can be read',
    around(`seed: ${'['.repeat(9000)}${']'.repeat(9000)}`),
    [expect.stringMatching(/^a\.yaml:8:\d+ is nested too deep; write it flatter\.$/)],
  ],
  [
    'a longer name',
    'name: one\nparticipants:\n  ann: { model: x, tells: [bobby] }\n  bob: { model: x }',
    ['a.yaml:3:28 participants.ann.tells[0]: there is no other participant "bobby"; did you mean "bob"?'],
  ],
])('names what is wrong: %s', (_, text, expected) => {
  expect(complaints(text)).toEqual(expected)
})

describe('tools that others have registered', () => {
  const text = around('').replace('tools: []', 'tools: [wether]')
  test('can be named', () => expect(complaints(text.replace('wether', 'weather'), ['weather'])).toEqual([]))
  test('and misspelt', () =>
    expect(complaints(text, ['weather'])).toEqual([
      'a.yaml:7:32 participants.ann.tools[0]: there is no tool "wether"; did you mean "weather"?',
    ]))
  test('or used under another name', () => {
    expect(complaints(around('tools: { sky: { use: wether } }'), ['weather'])).toEqual([
      'a.yaml:8:22 tools.sky.use: no tool is registered under "wether"; there is weather.',
    ])
  })
})

describe('an experiment that arrives as data', () => {
  test('is checked the same, without lines', () => {
    const value = { name: 'one', environment: { cash: 1 }, participants: { ann: { model: 'small', sees: ['csh'] } } }
    expect(problemsIn(value)).toEqual([
      { field: 'participants.ann.sees[0]', problem: 'there is no variable "csh"', fix: 'did you mean "cash"?' },
    ])
  })

  test('and is the same again when it comes from the record', () => {
    const definition = readExperiment(stand)
    expect(checkDefinition(JSON.parse(JSON.stringify(definition)))).toEqual(definition)
  })

  test.each([
    ['a function', { name: () => 1 }],
    ['a value without end', Array.from({ length: 100 }).reduce((inner) => [inner], 1)],
    ['a prototype', JSON.parse('{ "name": "one", "__proto__": { "polluted": true } }')],
    ['a date', { name: new Date(0) }],
    ['nothing', undefined],
  ])('%s is no experiment', (_, value) => {
    expect(problemsIn(value).length).toBeGreaterThan(0)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

describe('a text that means harm', () => {
  test.each([
    ['nests deep', `a: ${'['.repeat(50_000)}`],
    [
      'repeats itself',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
        .split('')
        .map(
          (name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefghi'[index]}`).join(',')}]`,
        )
        .join('\n')}`,
    ],
    ['is long', `name: ${'x'.repeat(1_000_001)}`],
    ['holds a prototype', 'name: one\n__proto__: { polluted: true }\nparticipants: { ann: { model: x } }'],
    [
      'bears the name of one',
      'name: one\nenvironment: { __proto__: 1, constructor: 2 }\nparticipants: { ann: { model: x } }',
    ],
  ])('%s, and is refused', (_, text) => {
    expect(canBeDoneIn(3000, () => expect(complaints(text).length).toBeGreaterThan(0))).toBe(true)
    expect('polluted' in {}).toBe(false)
  })
})
