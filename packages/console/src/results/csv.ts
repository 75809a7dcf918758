/** A table as pages show it and as spreadsheets read it: the names of the columns, then the rows. */
export interface Table {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string | number>>
}

/** A cell that a spreadsheet would read as a formula. */
const FORMULA = /^[=+\-@\t\r]/

const cellOf = (value: string | number): string => {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Returns a table as CSV (RFC 4180). The mark at the beginning makes spreadsheets read it as UTF-8. */
export const csvOf = ({ columns, rows }: Table): string =>
  `\uFEFF${[columns, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`
