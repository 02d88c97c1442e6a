import type { Model, ModelRequest } from 'minutebook'
import { scriptedModel, type ScriptedAnswer } from '@minutebook/testing'

/** A vendor without a language model: it plays by rules, and knows nothing but what it is told. */
export function scriptedVendor(): Model {
  return scriptedModel(
    Array.from({ length: 200 }, () => sell),
    { model: 'scripted' },
  )
}

/** What to do next on a day: ask for the forecast, then buy, make and price what the day can sell, then say so. */
export function sell({ messages }: Pick<ModelRequest, 'messages'>): Said {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const told = messages
    .slice(asked + 1)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
  const day = dayIn(String(messages[asked]?.content))
  if (told.length === 0) return { calls: morning(day) }
  const weather =
    Object.keys(crowd).find((word) => told.some((text) => text.includes(`going to be ${word}`))) ?? 'sunny'
  const shop = planFor(day, weather)
  if (told.some((text) => text.includes('glasses to sell')))
    return { text: `They say ${weather}: ${shop.glasses} glasses at ${shop.price} dollars.` }
  return { calls: shop.calls }
}

type Said = Pick<ScriptedAnswer, 'text' | 'calls'>
/** Numbers by the names of variables. */
type Day = Readonly<Record<string, number>>
type Calls = NonNullable<Said['calls']>

/** How many come at a price of 1 dollar. */
const crowd: Readonly<Record<string, number>> = { hot: 90, sunny: 60, cloudy: 35, rainy: 12 }
const loan = 100

/** `debt: 102 (2% a day)` → 102 */
function dayIn(view: string): Day {
  return Object.fromEntries(
    view
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), Number.parseFloat(line.slice(line.indexOf(':') + 1))]),
  )
}

function morning(day: Day): Calls {
  const forecast = { name: 'check_forecast', arguments: {} }
  if (isFirst(day)) return [{ name: 'take_loan', arguments: { dollars: loan } }, forecast]
  if (canRepay(day)) return [{ name: 'repay_loan', arguments: { dollars: day['debt'] } }, forecast]
  return [forecast]
}

function isFirst({ debt, customers, fame, cups }: Day): boolean {
  return debt === 0 && customers === 0 && fame === 0 && cups === 0
}

function canRepay({ cash = 0, debt = 0 }: Day): boolean {
  return debt > 0 && cash > debt + 100
}

interface Shop {
  readonly glasses: number
  readonly price: number
  readonly calls: Calls
}

/** The price that earns most, and as many glasses as will be asked for, or as can be paid. */
function planFor(day: Day, weather: string): Shop {
  const { debt = 0, lemonCost = 0.5, lemons = 0, sugar = 0, cups = 0, fame = 0 } = day
  const money = (day['cash'] ?? 0) - 1 + (isFirst(day) ? loan : 0) - (canRepay(day) ? debt : 0)
  const posters = money > 60 && fame < 80 ? 10 : 0
  const unit = lemonCost + 0.2
  const price = Math.round(50 * (3 + unit)) / 100
  const wanted = Math.ceil((crowd[weather] ?? 0) * (1 + Math.min(100, fame + posters * 2) / 100) * (1.5 - price / 2))
  // The rent is kept back.
  const glasses = Math.max(1, Math.min(wanted, Math.floor((money - posters - 5) / unit)))
  const missing = [
    ['buy_lemons', glasses - lemons],
    ['buy_sugar', glasses - sugar],
    ['buy_cups', glasses - cups],
    ['buy_ice', glasses],
  ] as const
  return {
    glasses,
    price,
    calls: [
      ...(posters > 0 ? [{ name: 'advertise', arguments: { dollars: posters } }] : []),
      ...missing.filter(([, count]) => count > 0).map(([name, count]) => ({ name, arguments: { count } })),
      { name: 'make_lemonade', arguments: { glasses } },
      { name: 'set_price', arguments: { dollars: price } },
    ],
  }
}
