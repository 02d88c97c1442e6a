import { loadChat } from '@minutebook/ai-sdk'
import { connection } from 'next/server'
import { book } from '../../../book'
import { Chat } from './chat'

/** The server reads the conversation from the record: the page has it before a script runs. */
export default async function ChatPage({ params }: { readonly params: Promise<{ readonly id: string }> }) {
  await connection()
  const { id } = await params
  return <Chat id={id} chat={await loadChat(book.thread(id))} />
}
