import { randomUUID } from 'node:crypto'
import { redirect } from 'next/navigation'
import { connection } from 'next/server'

/** Each visit begins a chat, whose address is its id. */
export default async function Start() {
  await connection()
  redirect(`/chat/${randomUUID()}`)
}
