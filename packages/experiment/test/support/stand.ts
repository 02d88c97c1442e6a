/** A small lemonade stand. */
export const stand = `name: lemonade stand
seed: 7
environment:
  cash: { type: number, initial: 100, description: in dollars }
  lemons: 0
  debt: 50
  weather: sunny
participants:
  vendor:
    model: gemma3:4b
    system: You run a lemonade stand.
    sees: [cash, lemons, weather]
    tools: [buy_lemons, roll]
tools:
  buy_lemons:
    description: Buys lemons.
    parameters: { count: { type: integer, minimum: 1, description: how many } }
    require: [{ when: "cash >= input.count * 0.5", otherwise: You cannot pay that. }]
    changes: { cash: "cash - input.count * 0.5", lemons: "lemons + input.count" }
    result: "'You have ' + string(lemons + input.count) + ' lemons.'"
  roll:
    result: random.integer(1, 6)
    changes: { lemons: lemons + result }
hooks:
  roundStart: { weather: "random.pick(['sunny', 'cloudy', 'rainy'])", debt: "debt * 1.01" }
goals:
  success: { rich: "cash - debt >= 1000" }
  failure: { broke: "cash < 0" }
limits: { rounds: 30 }
`
