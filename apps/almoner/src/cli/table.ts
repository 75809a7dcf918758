/** Control characters would move the cursor of a terminal; names are free text. */
const shown = (cell: string): string => (cell === '' ? '-' : cell.replaceAll(/\p{Cc}/gu, '?'))

/** Columns of text, as wide as their widest cell, two spaces between them; an empty cell shows a dash. */
export const table = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const cells = [heads, ...rows].map((row) => row.map(shown))
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: ReadonlyArray<string>) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
  return cells.map((row) => line(row).trimEnd()).join('\n')
}
