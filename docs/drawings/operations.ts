// Drawings of installations: tenants and keys, and the packages.
import { arrow, box, card, type Drawing, text } from './pen.ts'

const tenants: Drawing = {
  width: 760,
  height: 250,
  title:
    'An installation has tenants; a key belongs to one tenant and has a scope; no tenant sees the threads of another',
  shapes: [
    box(12, 14, 736, 224, { dashed: true, fill: 'page', cover: 0 }),
    text(24, 34, 'installation: instances, one store, upstreams', { size: 12, colour: 'muted' }),
    box(28, 46, 340, 176),
    text(44, 68, 'tenant garden', { bold: true }),
    card(44, 80, 130, 34, ['key: ann, admin'], { line: 'accent' }),
    card(44, 122, 130, 34, ['key: website, app'], { line: 'accent' }),
    card(44, 164, 130, 34, ['key: desk, viewer'], { line: 'accent' }),
    arrow(178, 139, 226, 139),
    card(230, 80, 120, 118, ['threads', 'log, receipts,', 'records']),
    box(392, 46, 340, 176),
    text(408, 68, 'tenant shop', { bold: true }),
    card(408, 122, 130, 34, ['key: shop, app'], { line: 'accent' }),
    arrow(542, 139, 590, 139),
    card(594, 80, 120, 118, ['threads', 'log, receipts,', 'records']),
    text(380, 144, '✕', { at: 'middle', size: 18, bold: true, colour: 'bad' }),
  ],
}

const packages: Drawing = {
  width: 760,
  height: 400,
  title:
    'The packages of Minutebook: the library in the middle, stores below, adapters at the side, server, command and console above',
  shapes: [
    text(20, 26, 'people and programs', { size: 12, colour: 'muted' }),
    card(20, 36, 160, 54, ['cli', 'minutebook …']),
    card(200, 36, 160, 54, ['console', 'web page']),
    card(380, 36, 160, 54, ['client', 'typed HTTP client']),
    card(560, 36, 180, 54, ['your app', 'base URL, or import'], { fill: 'sunken', line: 'border' }),
    arrow(100, 90, 100, 126),
    arrow(280, 90, 280, 126),
    arrow(460, 90, 460, 126),
    arrow(600, 90, 520, 126),
    card(20, 130, 520, 54, ['server', 'gateway, HTTP API, turns, keys']),
    arrow(160, 184, 160, 220),
    card(20, 224, 160, 54, ['experiment', 'YAML, runs']),
    arrow(180, 251, 216, 251),
    card(
      220,
      210,
      320,
      82,
      ['minutebook', 'log · compiler · turns · receipts', 'no dependencies, no input or output'],
      { line: 'accent' },
    ),
    arrow(380, 184, 380, 206),
    card(560, 196, 180, 34, ['ai-sdk'], {}),
    card(560, 236, 180, 34, ['langchain']),
    card(560, 276, 180, 34, ['openai-agents']),
    arrow(560, 213, 544, 225),
    arrow(560, 253, 544, 253),
    arrow(560, 293, 544, 281),
    arrow(680, 90, 680, 192),
    arrow(300, 292, 260, 330),
    arrow(460, 292, 500, 330),
    card(180, 334, 160, 48, ['sqlite', 'one file']),
    card(420, 334, 160, 48, ['postgres', 'many instances']),
    text(20, 336, 'an arrow: uses', { size: 12, colour: 'muted' }),
    text(20, 354, 'for your tests: testing,', { size: 12, colour: 'muted' }),
    text(20, 372, 'conformance', { size: 12, colour: 'muted' }),
    text(20, 390, 'views of a record: inspect', { size: 12, colour: 'muted' }),
  ],
}

export const operations: Readonly<Record<string, Drawing>> = { tenants, packages }
