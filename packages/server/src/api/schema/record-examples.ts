import type { KeptReceipt } from 'minutebook/inspect'
import type { CallPlace, Explanation } from '../../archive/archive.ts'
import { cacheUsageExample } from './cache.ts'

export const receiptExample: KeptReceipt = {
  id: 'c02d11',
  seq: 4,
  version: 1,
  head: '9f2c4e',
  upto: '9f2c4e',
  length: 3,
  settings: '77aa01',
  hash: '5d41c0',
  epoch: 0,
  verdicts: { verbatim: 2 },
  outcome: 'stop',
  tokens: { predicted: 41, reused: 0, reported: { prompt: 39, completion: 12 } },
  time: { started: '2026-11-18T12:00:00.000Z', firstToken: 310, total: 840 },
}

export const placeExample: CallPlace = {
  thread: 'garden',
  turn: 1,
  call: '1',
  model: 'gemma3:4b',
  receipt: receiptExample,
}

export const explanationExample: Explanation = {
  ...placeExample,
  shares: [
    { name: 'latest', tokens: 41 },
    { name: 'free', tokens: 3543 },
    { name: 'reserve', tokens: 512 },
  ],
  plan: {
    policy: 'default',
    counter: 'estimate',
    digesters: [],
    window: 4096,
    reserve: 512,
    tokens: 41,
    tools: 0,
    overhead: 3,
    entries: 3,
    exchanges: 1,
    epoch: { number: 0, since: 0 },
    overflow: 0,
    parts: [],
    spans: [],
  },
  cost: { amount: 0.0021, currency: 'USD' },
  cache: cacheUsageExample,
  same: true,
  erased: false,
}
