'use client'

import { useChat } from '@ai-sdk/react'
import type { LoadedChat } from '@minutebook/ai-sdk'
import { DefaultChatTransport } from 'ai'
import { useState } from 'react'

export function Chat({ id, chat }: { readonly id: string; readonly chat: LoadedChat }) {
  const after = chat.messages.at(-1)?.id
  const { messages, sendMessage, regenerate, status, error } = useChat({
    id,
    ...chat,
    transport: new DefaultChatTransport({
      prepareReconnectToStreamRequest: ({ api }) => ({ api: `${api}/${id}/stream?after=${after}` }),
    }),
  })
  const [text, setText] = useState('')
  const isRunning = status === 'submitted' || status === 'streaming'
  // `stop` of useChat would only close the stream of this page.
  const stop = () => fetch(`/api/chat/${id}`, { method: 'DELETE' })

  return (
    <main data-status={status}>
      {messages.map((message) => (
        <p key={message.id} style={{ whiteSpace: 'pre-wrap', fontWeight: message.role === 'user' ? 600 : 400 }}>
          {message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')}
        </p>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '' && !isRunning) void sendMessage({ text })
          setText('')
        }}
      >
        <input value={text} onChange={(event) => setText(event.target.value)} aria-label="Message" />
        <button disabled={isRunning}>Send</button>
        {isRunning ? (
          <button type="button" onClick={() => void stop()}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={() => void regenerate()} disabled={messages.length === 0}>
            Answer again
          </button>
        )}
      </form>
    </main>
  )
}
