/** Does the check of the built site find what it is for? */
import { expect, test } from 'vitest'
import { findingsIn } from '../check.ts'

const page = (body: string): string => `<html><body>${body}</body></html>`
const check = (texts: Readonly<Record<string, string>>, more: readonly string[] = [], base = '/'): string[] =>
  findingsIn(new Map(Object.entries(texts)), new Set([...Object.keys(texts), ...more]), base)

test('links to pages, headings and files that are there are fine', () => {
  const index = page(
    '<h1 id="top">A</h1><a class="x" href="/b/c.html#d">c</a><a href="#top">a</a><img src="/e.png"><a href="https://example.com/">f</a>',
  )
  const other = page('<h2 id="d">D</h2><a href="../">up</a><a href="./c.html">here</a>')
  expect(check({ 'index.html': index, 'b/c.html': other }, ['e.png'])).toEqual([])
})

test('dead pages, headings and pictures are found', () => {
  const index = page('<a href="/no.html">a</a><a href="#no">b</a><img alt="" src="/no.png"><a href="./b.html#no">c</a>')
  expect(check({ 'index.html': index, 'b.html': page('') })).toEqual([
    'index.html: dead link /no.html',
    'index.html: dead link #no',
    'index.html: dead link ./b.html#no',
    'index.html: dead link /no.png',
  ])
})

test('links of a site in a folder of its host stay in that folder', () => {
  expect(
    check({ 'index.html': page('<a href="/docs/index.html">a</a><a href="/index.html">b</a>') }, [], '/docs/'),
  ).toEqual(['index.html: dead link /index.html'])
})

test('what is loaded from another host is found: scripts, pictures, style sheets, fonts', () => {
  const index = page(
    '<script src="https://example.com/a.js"></script><img src="//example.com/b.png"><link rel="stylesheet" href="https://example.com/c.css"><a href="https://example.com">fine</a>',
  )
  const sheet = '@font-face{src:url(https://example.com/d.woff2)} a{background:url(data:image/png;base64,xx)}'
  expect(check({ 'index.html': index, 'style.css': sheet })).toEqual([
    'index.html loads https://example.com/a.js',
    'index.html loads //example.com/b.png',
    'index.html loads https://example.com/c.css',
    'style.css loads https://example.com/d.woff2',
  ])
})
