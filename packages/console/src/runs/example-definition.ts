/** An experiment to begin with. */
export const exampleDefinition = `name: counting
environment:
  total: { type: integer, initial: 0, description: what was added so far }
participants:
  ann:
    model: gemma3:4b
    system: You play a game. Add what you like, between 1 and 5.
    tools: [add]
  bob:
    model: gemma3:4b
    system: You play a game. Add what you like, between 1 and 5.
    tools: [add]
rounds:
  - { name: round, play: sequence, ask: It is your turn. }
tools:
  add:
    description: Adds a number to the total.
    parameters: { count: { type: integer, minimum: 1, maximum: 5 } }
    changes: { total: total + input.count }
goals:
  success: { twenty: total >= 20 }
limits: { rounds: 10 }
`
