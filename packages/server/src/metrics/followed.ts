import type { Metrics } from '../metrics.ts'

/** The same values; whoever takes them counts as one who follows, until they leave. */
export async function* followed<T>(
  values: AsyncIterable<T>,
  metrics: Pick<Metrics, 'read'>,
): AsyncGenerator<T, void, void> {
  const leave = metrics.read('streams', () => 1)
  try {
    yield* values
  } finally {
    leave()
  }
}
