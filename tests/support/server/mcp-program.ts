import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/** A program of tools, one of which ends it, and one of which repeats what the client sent beside the arguments. */
serveStdio(() => {
  const server = new McpServer({ name: 'calculator', version: '1.0.0' })
  server.registerTool(
    'add',
    { description: 'Adds.', inputSchema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  )
  server.registerTool(
    'meta',
    { description: 'Repeats what came beside its input.', inputSchema: z.object({}) },
    (_, context) => ({
      content: [{ type: 'text', text: JSON.stringify(context.mcpReq._meta) }],
    }),
  )
  server.registerTool('die', { description: 'Ends.', inputSchema: z.object({}) }, () => process.exit(1))
  return server
})
