import type { ReactElement, ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { Boundary } from '../ui/boundary.tsx'
import { isCheap } from './cheap-markdown.ts'
import { PlainText } from './plain-text.tsx'
import { readable } from './readable.ts'
import { isSafe } from './safe-link.ts'

/**
 * Text of somebody as markdown: no HTML of theirs, no images from elsewhere, no links but to the web and to mail. What
 * is not shown as such is shown as text.
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
  pre: ({ children }: { readonly children?: ReactNode }) => <pre tabIndex={0}>{children}</pre>,
}

/** An address that is only read. */
function Address({ url }: { readonly url: string }): ReactElement {
  return <code className="text-muted">{url.length > 200 ? `${url.slice(0, 200)}…` : url}</code>
}
