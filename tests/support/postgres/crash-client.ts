import type { Book } from 'minutebook'
import { onTestFinished } from 'vitest'
import { openClient } from './turn-client.ts'

/** A book that sends and follows, and runs nothing: models and tools are where turns are run. */
export async function crashClient(url: string): Promise<Book> {
  const client = await openClient(url)
  onTestFinished(() => client[Symbol.asyncDispose]())
  return client.book
}
