import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { trainVocabulary, type Vocabulary } from './bpe.ts'
import { cachedFolder } from './cache.ts'
import { encodeGguf, type MetadataValue, type Tensor } from './gguf.ts'
import { seededRandom } from './random.ts'

/** A real model file with random weights: it cannot talk, but it tokenizes, templates and fills a window truly. */
export interface TinyModel {
  readonly modelPath: string
  /** The same vocabulary for @huggingface/tokenizers: both must count alike. */
  readonly tokenizerPath: string
}

/** The largest window that the model takes. */
export const tinyModelWindow = 16_384

/** ChatML that renders every kind of message, so that nothing sent to the model is left out. */
export const tinyChatTemplate = `
{%- if tools %}
  {{- '<|im_start|>system\\n# Tools\\n' }}
  {%- for tool in tools %}{{- tool | tojson }}{{- '\\n' }}{%- endfor %}
  {{- '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
  {{- '<|im_start|>' + message.role + '\\n' }}
  {%- if message.content %}{{- message.content }}{%- endif %}
  {%- for call in message.tool_calls or [] %}
    {%- set arguments = call.function.arguments %}
    {{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' }}
    {{- arguments if arguments is string else arguments | tojson }}
    {{- '}\\n</tool_call>' }}
  {%- endfor %}
  {{- '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}`.trimStart()

const specialTokens = ['<|endoftext|>', '<|im_start|>', '<|im_end|>']
const endOfText = 0
const endOfMessage = 2
const mergeLimit = 1800
const shape = { width: 64, hidden: 128, layers: 2, heads: 4 }

/** Makes the files, the first time; later calls only give their paths. */
export function tinyModel(): TinyModel {
  const folder = cachedFolder('tiny-model', sources(), writeFiles)
  return pathsIn(folder)
}

function sources(): string[] {
  const files = ['corpus.txt', 'bpe.ts', 'gguf.ts', 'random.ts', 'tiny-model.ts']
  return files.map((file) => join(import.meta.dirname, file))
}

function pathsIn(folder: string): TinyModel {
  return { modelPath: join(folder, 'tiny.gguf'), tokenizerPath: join(folder, 'tokenizer.json') }
}

function writeFiles(folder: string): void {
  const corpus = readFileSync(join(import.meta.dirname, 'corpus.txt'), 'utf8')
  const learned = trainVocabulary(corpus, mergeLimit)
  const vocabulary = { tokens: [...specialTokens, ...learned.tokens], merges: learned.merges }
  const paths = pathsIn(folder)
  writeFileSync(paths.tokenizerPath, JSON.stringify(tokenizerFile(vocabulary)))
  writeFileSync(paths.modelPath, encodeGguf(metadata(vocabulary), tensors(vocabulary.tokens.length)))
}

function metadata({ tokens, merges }: Vocabulary): Record<string, MetadataValue> {
  const controlToken = 3
  const plainToken = 1
  const types = tokens.map((_, id) => (id < specialTokens.length ? controlToken : plainToken))
  return {
    'general.architecture': { type: 'string', value: 'llama' },
    'general.name': { type: 'string', value: 'tiny' },
    'llama.context_length': { type: 'uint32', value: tinyModelWindow },
    'llama.embedding_length': { type: 'uint32', value: shape.width },
    'llama.block_count': { type: 'uint32', value: shape.layers },
    'llama.feed_forward_length': { type: 'uint32', value: shape.hidden },
    'llama.attention.head_count': { type: 'uint32', value: shape.heads },
    'llama.attention.head_count_kv': { type: 'uint32', value: shape.heads },
    'llama.attention.layer_norm_rms_epsilon': { type: 'float32', value: 1e-5 },
    'llama.rope.dimension_count': { type: 'uint32', value: shape.width / shape.heads },
    'llama.vocab_size': { type: 'uint32', value: tokens.length },
    'tokenizer.ggml.model': { type: 'string', value: 'gpt2' },
    'tokenizer.ggml.pre': { type: 'string', value: 'gpt-2' },
    'tokenizer.ggml.tokens': { type: 'strings', value: tokens },
    'tokenizer.ggml.token_type': { type: 'int32s', value: types },
    'tokenizer.ggml.merges': { type: 'strings', value: merges },
    'tokenizer.ggml.bos_token_id': { type: 'uint32', value: endOfText },
    'tokenizer.ggml.eos_token_id': { type: 'uint32', value: endOfMessage },
    'tokenizer.ggml.add_bos_token': { type: 'boolean', value: false },
    'tokenizer.chat_template': { type: 'string', value: tinyChatTemplate },
  }
}

function tensors(tokenCount: number): Tensor[] {
  const { width, hidden, layers } = shape
  const random = seededRandom(42)
  const ones = (name: string): Tensor => ({ name, shape: [width], values: new Float32Array(width).fill(1) })
  const noise = (name: string, columns: number, rows: number): Tensor => ({
    name,
    shape: [columns, rows],
    values: Float32Array.from({ length: columns * rows }, () => (random() - 0.5) / 4),
  })
  const layer = (block: string): Tensor[] => [
    ones(`${block}.attn_norm.weight`),
    noise(`${block}.attn_q.weight`, width, width),
    noise(`${block}.attn_k.weight`, width, width),
    noise(`${block}.attn_v.weight`, width, width),
    noise(`${block}.attn_output.weight`, width, width),
    ones(`${block}.ffn_norm.weight`),
    noise(`${block}.ffn_gate.weight`, width, hidden),
    noise(`${block}.ffn_up.weight`, width, hidden),
    noise(`${block}.ffn_down.weight`, hidden, width),
  ]
  const blocks = Array.from({ length: layers }, (_, index) => layer(`blk.${index}`))
  return [noise('token_embd.weight', width, tokenCount), ...blocks.flat(), ones('output_norm.weight')]
}

function tokenizerFile({ tokens, merges }: Vocabulary): object {
  const added = { special: true, single_word: false, lstrip: false, rstrip: false, normalized: false }
  return {
    version: '1.0',
    added_tokens: specialTokens.map((content, id) => ({ id, content, ...added })),
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    model: { type: 'BPE', vocab: Object.fromEntries(tokens.map((token, id) => [token, id])), merges },
  }
}
