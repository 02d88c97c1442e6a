/** The fields of a CSV file, as RFC 4180 says. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [['']]
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    const [character, row] = [text[index]!, rows.at(-1)!]
    if (isQuoted && character === '"' && text[index + 1] === '"') row[row.length - 1] += text[++index]!
    else if (character === '"') isQuoted = !isQuoted
    else if (!isQuoted && character === ',') row.push('')
    else if (!isQuoted && character === '\n') rows.push([''])
    else row[row.length - 1] += character
  }
  return rows
}
