/** A value of GGUF metadata, with the type that the file states for it. */
export type MetadataValue =
  | { readonly type: 'uint32' | 'float32'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'int32s'; readonly value: readonly number[] }

/** A tensor of 32-bit floats. `shape` has the fastest dimension first, as GGUF counts them. */
export interface Tensor {
  readonly name: string
  readonly shape: readonly number[]
  readonly values: Float32Array
}

const version = 3
const alignment = 32
const typeCodes = { uint32: 4, int32: 5, float32: 6, boolean: 7, string: 8, array: 9 } as const
const float32Tensor = 0

/** The bytes of a GGUF file. */
export function encodeGguf(metadata: Readonly<Record<string, MetadataValue>>, tensors: readonly Tensor[]): Buffer {
  const entries = Object.entries(metadata)
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(version),
    uint64(tensors.length),
    uint64(entries.length),
    ...entries.map(([key, value]) => Buffer.concat([text(key), metadataValue(value)])),
    ...tensorTable(tensors),
  ])
  return Buffer.concat([padded(head), ...tensors.map(({ values }) => padded(float32s(values)))])
}

function tensorTable(tensors: readonly Tensor[]): Buffer[] {
  let offset = 0
  return tensors.map(({ name, shape, values }) => {
    const row = Buffer.concat([
      text(name),
      uint32(shape.length),
      ...shape.map(uint64),
      uint32(float32Tensor),
      uint64(offset),
    ])
    offset += aligned(values.byteLength)
    return row
  })
}

function metadataValue(entry: MetadataValue): Buffer {
  switch (entry.type) {
    case 'uint32':
      return Buffer.concat([uint32(typeCodes.uint32), uint32(entry.value)])
    case 'float32':
      return Buffer.concat([uint32(typeCodes.float32), float32s(Float32Array.of(entry.value))])
    case 'boolean':
      return Buffer.concat([uint32(typeCodes.boolean), Buffer.of(entry.value ? 1 : 0)])
    case 'string':
      return Buffer.concat([uint32(typeCodes.string), text(entry.value)])
    case 'strings':
      return list(typeCodes.string, entry.value.map(text))
    case 'int32s':
      return list(typeCodes.int32, entry.value.map(uint32))
  }
}

function list(itemType: number, items: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(typeCodes.array), uint32(itemType), uint64(items.length), ...items])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint64(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

/** Takes the machine's byte order for the file's: little-endian, as everywhere this engine is built for. */
function float32s(values: Float32Array): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength)
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)])
}

function aligned(length: number): number {
  return Math.ceil(length / alignment) * alignment
}
