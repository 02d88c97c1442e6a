import { SystemMessage } from '@langchain/core/messages'
import { convertToOpenAITool, isLangChainTool } from '@langchain/core/utils/function_calling'
import { createMiddleware, type AgentMiddleware } from 'langchain'
import type { CompileOptions } from 'minutebook'
import { fitMessages } from './fit-messages.ts'

/** The options of the middleware: those of `compile`, without the tools, which it sees itself. */
export interface MiddlewareOptions extends Omit<CompileOptions, 'tools'> {}

/**
 * A middleware for `createAgent`: fits the messages of every model call into the window, with the system prompt and the
 * tools counted. The state of the agent keeps the whole conversation. Throws `window_overflow` if the required messages
 * do not fit; errors of the model pass unchanged.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [minutebookMiddleware({ window: 8192 })] })
 */
export function minutebookMiddleware(options: MiddlewareOptions): AgentMiddleware {
  return createMiddleware({
    name: 'minutebook',
    wrapModelCall: (request, handler) => {
      const { systemMessage, messages } = request
      const isSystem = systemMessage.text !== ''
      const tools = request.tools.map((tool) => (isLangChainTool(tool) ? convertToOpenAITool(tool) : tool))
      const fitted = fitMessages(isSystem ? [systemMessage, ...messages] : messages, { ...options, tools })
      if (!isSystem || fitted[0] === systemMessage)
        return handler({ ...request, messages: fitted.slice(isSystem ? 1 : 0) })
      const [first, ...rest] = fitted
      if (SystemMessage.isInstance(first)) return handler({ ...request, systemMessage: first, messages: rest })
      return handler({ ...request, systemMessage: new SystemMessage(''), messages: fitted })
    },
  })
}
