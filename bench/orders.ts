import type { Random } from './random.ts'
import { colours, people, places, products } from './words.ts'

/** A made-up shop's answer to a tool call, and a question that only this answer can settle. */
export interface Orders {
  readonly customer: string
  readonly lookup: string
  readonly records: readonly Readonly<Record<string, unknown>>[]
  readonly question: string
}

export function makeOrders(random: Random): Orders {
  const customer = random.pick(people)
  const records = Array.from({ length: random.between(2, 7) }, () => ({
    order: `ORD-${random.between(10000, 99999)}`,
    customer,
    product: `${random.pick(colours)} ${random.pick(products)}`,
    quantity: random.between(1, 12),
    total: random.between(900, 99000) / 100,
    status: random.pick(['shipped', 'pending', 'returned', 'delivered', 'cancelled']),
    warehouse: random.pick(places),
  }))
  const asked = random.pick(records)
  return {
    customer,
    lookup: random.pick(['find_orders', 'list_orders', 'search_orders']),
    records,
    question: `What did ${customer} pay for the ${asked.product} under ${asked.order}?`,
  }
}
