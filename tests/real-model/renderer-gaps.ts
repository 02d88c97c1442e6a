/**
 * Rewrites, by form and never by template, what Python's Jinja knows and @huggingface/jinja does not. What a chat looks
 * like does not change. Without this, 13 of 70 templates fail on the renderer, not on the chat.
 */
export function rewriteForRenderer(source: string): string {
  return rewrites.reduce((text, [form, replacement]) => text.replaceAll(form, replacement), source)
}

const rewrites: readonly (readonly [RegExp, string])[] = [
  // 'a{}b'.format(NAME)
  [/'([^'{}]*)\{\}([^'{}]*)'\.format\((\w+)\)/g, "('$1' + $3 + '$2')"],
  // A table with whole numbers as keys, and a look-up in it: ByteDance's thinking budgets, which a chat does not use.
  [/\{\s*\d+:\s*\d+(?:,\s*\d+:\s*\d+)*\s*\}/g, '{}'],
  [/\w+\[(\d{3,})\]/g, '$1'],
  // {% set _ = list.append(item) %} and {% set first = list.pop(0) %}
  [/\{%-? set _ = (\w+\.\w+)\.append\((\w+)\) -?%\}/g, '{%- set $1 = $1 + [$2] -%}'],
  [/\{%-? set (\w+) = (\w+\.\w+)\.pop\(0\) -?%\}/g, '{%- set $1 = $2[0] -%}{%- set $2 = $2[1:] -%}'],
  // [a, b]|min
  [/\[(\w+), (\w+)\]\|min/g, '($1 if $1 < $2 else $2)'],
  // An argument as text, when it is null or an object.
  [/\b(args?_value) \| string\b/g, "('None' if $1 is none else $1 | tojson if $1 is mapping else $1 | string)"],
  // A tool's definition as text, and pairs that a loop takes apart.
  [/\{\{ tool\|string \}\}/g, '{{ tool|tojson }}'],
  [/(?<=\[|\), )\(("\w+"), ("[\w ]+")\)/g, '[$1, $2]'],
  // The renderer's own clock cannot be replaced under its own name, and a prompt must be the same on every run.
  [/strftime_now/g, 'strftime_fixed'],
]
