import { chatHandler } from '@minutebook/ai-sdk'
import { book } from '../../../../book'

// Who knows the id of a chat may read and write it. With a login, return undefined for the chats of others.
const chat = chatHandler((id) => book.thread(id))

export { chat as DELETE, chat as GET, chat as POST }
