import { Component, createElement, isValidElement, type ReactElement, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CopyButton } from '../ui/copy.tsx'
import { readable } from '../ui/text.ts'
import { PlainText } from '../ui/ui.tsx'

/**
 * Untrusted text as markdown: no HTML, no remote images, links to the web and to mail only. Everything else is shown as
 * text.
 */
export function Markdown({ text }: { readonly text: string }): ReactElement {
  const plain = <PlainText text={text} />
  if (!isCheap(text)) return plain
  return (
    <Boundary otherwise={plain}>
      <div className="markdown">
        <ReactMarkdown remarkPlugins={plugins} components={components} urlTransform={(url) => url}>
          {readable(text)}
        </ReactMarkdown>
      </div>
    </Boundary>
  )
}

const plugins = [remarkGfm]

const components: Components = {
  a: ({ href = '', children }) =>
    isSafe(href) ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href}>
        {children}
      </a>
    ) : (
      <>
        {children} <Address url={href} />
      </>
    ),
  img: ({ src, alt = '' }) => (
    <span>
      [image: {alt}] <Address url={typeof src === 'string' ? src : ''} />
    </span>
  ),
  input: ({ checked }) => <span aria-label={checked === true ? 'done' : 'to do'}>{checked === true ? '☑' : '☐'}</span>,
  pre: ({ children }: { readonly children?: ReactNode }) => (
    <div className="group relative">
      <pre tabIndex={0} dir="ltr">
        {children}
      </pre>
      <span className="absolute top-1 right-1 rounded-md bg-surface">
        <CopyButton text={wordsIn(children)} label="Copy the code" />
      </span>
    </div>
  ),
  ...blocks(['p', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'td', 'th', 'ul', 'ol', 'table']),
}

/** Each block runs in the direction of its own first letter. */
function blocks(names: readonly string[]): Components {
  const directed =
    (name: string) =>
    ({ node, ...props }: { readonly node?: unknown }): ReactElement =>
      createElement(name, { dir: node === undefined ? undefined : 'auto', ...props })
  return Object.fromEntries(names.map((name) => [name, directed(name)]))
}

/** The text of what is drawn. */
function wordsIn(drawn: ReactNode): string {
  if (typeof drawn === 'string' || typeof drawn === 'number') return String(drawn)
  if (Array.isArray(drawn)) return (drawn as readonly ReactNode[]).map(wordsIn).join('')
  return isValidElement<{ readonly children?: ReactNode }>(drawn) ? wordsIn(drawn.props.children) : ''
}

/** An address to read, not to follow. */
function Address({ url }: { readonly url: string }): ReactElement {
  return <code className="text-muted">{url.length > 200 ? `${url.slice(0, 200)}…` : url}</code>
}

/**
 * Whether a text can be parsed as markdown quickly. Parsers are slow on many paired signs and on nested lists; this
 * check is linear.
 *
 * @example
 * isCheap('- '.repeat(2000)) // false
 */
export function isCheap(text: string): boolean {
  if (text.length > longest) return false
  let signs = 0
  let lines = 0
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    if (end > start) lines++
    if (end - start > longestLine || lines > mostLines || depthAt(text, start, end) > deepest) return false
    for (let index = start; index < end; index++)
      if (isSign(text.charCodeAt(index)) && ++signs > mostSigns) return false
    start = end + 1
  }
  return true
}

const longest = 60_000
const longestLine = 20_000
const mostLines = 800
const mostSigns = 2000
const deepest = 10

const signs = new Set(Array.from('*_~[]<>|`!&@\\-+#^', (sign) => sign.charCodeAt(0)))

function isSign(code: number): boolean {
  return signs.has(code)
}

/** How deep a line is nested in quotes and lists, by its first characters or by its indentation. */
function depthAt(text: string, start: number, end: number): number {
  let depth = 0
  let blanks = 0
  let index = start
  for (; index < end; index++) {
    const character = text[index]!
    if (character === ' ' || character === '\t') blanks++
    else if ('>-*+'.includes(character)) depth++
    else break
  }
  // A nested list is indented by at least two.
  const isItem = depth > 0 || /\d/.test(text[index] ?? '')
  return Math.max(depth, isItem ? blanks / 2 - depth : 0)
}

interface BoundaryProps {
  /** Shown if the children fail to render. */
  readonly otherwise: ReactNode
  readonly children: ReactNode
}

/** Keeps a render error from breaking the whole page. */
class Boundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.otherwise : this.props.children
  }
}

/** Whether a link may be followed: a full https or mailto address without a password. */
export function isSafe(href: string): boolean {
  try {
    const { protocol, username, password } = new URL(href)
    return (protocol === 'https:' || protocol === 'mailto:') && username === '' && password === ''
  } catch {
    return false
  }
}
