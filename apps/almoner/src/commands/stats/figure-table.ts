/** A whole number as it is read in a table. */
export const shownNumber = (count: number): string => count.toLocaleString('en')

/** Rows of a name and numbers, under their heads: names on the left, numbers on the right, two spaces between columns. */
export const figureTable = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<readonly [string, ...ReadonlyArray<number>]>,
): ReadonlyArray<string> => {
  const cells = [heads, ...rows.map(([name, ...numbers]) => [name, ...numbers.map(shownNumber)])]
  const widths = heads.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const padded = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return cells.map((row) => row.map(padded).join('  '))
}
