/**
 * The key of what was sent under a sender's own id. Keys that we make ourselves begin with `~` and go on with something else; an
 * id that begins with `~` gets a second one. So no id that anybody chooses is ever the key of something of ours.
 */
export function senderKey(id: string): string {
  return id.startsWith(mark) ? mark + id : id
}

/** The key of a message that was sent without an id and has to wait. `unique`: a number that no other such message has. */
export function madeKey(unique: string): string {
  return `${mark}.${unique}`
}

const mark = '~'
