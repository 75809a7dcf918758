/** Control characters would move the cursor of a terminal; names are free text. */
const shown = (cell: string): string => (cell === '' ? '-' : cell.replaceAll(/\p{Cc}/gu, '?'))

/**
 * Formats columns as wide as their widest cell, two spaces apart; an empty cell shows a dash.
 * @param align 'numbers' aligns all columns but the first on the right
 */
export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  align: 'text' | 'numbers' = 'text',
): string => {
  const cells = [heads, ...rows].map((row) => row.map(shown))
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const padded = (cell: string, column: number): string =>
    align === 'numbers' && column > 0 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return cells.map((row) => row.map(padded).join('  ').trimEnd()).join('\n')
}
