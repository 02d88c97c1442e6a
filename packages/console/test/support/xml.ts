/** An element of an XML file, with its own text. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
}

/** The elements of an XML file, in their order. Throws if it is not well-formed, or has more than elements and texts. */
export function elementsOf(file: string): readonly XmlElement[] {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(file))
    throw new Error('a character that XML has not')
  const body = file.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
  const elements: XmlElement[] = []
  const open: XmlElement[] = []
  let at = 0
  while (at < body.length) {
    token.lastIndex = at
    const found = token.exec(body)
    if (!found) throw new Error(`not well-formed: ${body.slice(at, at + 80)}`)
    const [all, closed, name, attributes = '', empty, text] = found
    at += all.length
    if (closed !== undefined) {
      if (open.pop()?.name !== closed) throw new Error(`</${closed}> closes nothing`)
    } else if (name !== undefined) {
      const element = { name, attributes: Object.fromEntries(attributesIn(attributes)), text: '' }
      elements.push(element)
      if (empty !== '/') open.push(element)
    } else if (open.length > 0) open.at(-1)!.text += unescaped(text!)
    else if (text!.trim() !== '') throw new Error('text outside of all elements')
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)!.name}> is not closed`)
  return elements
}

const token = /<\/([a-z]+)>|<([a-z]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y

function attributesIn(text: string): (readonly [string, string])[] {
  return [...text.matchAll(/([\w:-]+)="([^"<]*)"/g)].map(([, name, value]) => [name!, unescaped(value!)])
}

function unescaped(text: string): string {
  return text.replace(/&([^;\s]*);?/g, (all, name: string) => {
    const character = ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" } as Readonly<Record<string, string>>)[name]
    if (character === undefined || !all.endsWith(';')) throw new Error(`an entity that there is not: ${all}`)
    return character
  })
}
