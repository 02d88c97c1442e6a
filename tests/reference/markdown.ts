/** A table. What would end a cell is escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
}

/** A name or a value as code. Empty if there is nothing to show. */
export function code(text: string): string {
  return text === '' ? '' : `\`${text}\``
}

/** A page, with the line that says where it comes from. */
export function page(title: string, description: string, parts: readonly string[]): string {
  const note = '<!-- Written by `npm run docs:reference`. Change docs/reference/texts or the sources instead. -->'
  return [`# ${title}`, note, description, ...parts].join('\n\n') + '\n'
}

/** A text that Markdown and a page in HTML show as it is: `<file>` is not a tag. */
export function plain(text: string): string {
  return text.replaceAll(/(`[^`]*`)|<([a-z][^>]*)>/g, (whole, asCode: string | undefined) => asCode ?? `\`${whole}\``)
}
