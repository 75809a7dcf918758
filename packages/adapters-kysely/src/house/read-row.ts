import type { Row } from './columns.ts'
import type { HouseTable } from './table.ts'

/** A row, or everything that is wrong with it, in sentences. */
export type ReadRow = { readonly row: Row } | { readonly faults: ReadonlyArray<string> }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads a row of a table from JSON that was parsed: exactly its columns, each with what it may hold, and all of them together as the
 * database asks. What it says of other rows is looked at when it is loaded.
 */
export const readRow = ({ columns, rule }: HouseTable, value: unknown): ReadRow => {
  if (!isRecord(value)) return { faults: ['is no object'] }
  const faults = Object.entries(columns).flatMap(([name, column]) => {
    const fault = name in value ? column(value[name]) : 'is missing'
    return fault === undefined ? [] : [`${name} ${fault}`]
  })
  for (const name of Object.keys(value)) if (!(name in columns)) faults.push(`${name} is no column of it`)
  if (faults.length > 0) return { faults }
  const row = value as Row
  const fault = rule?.(row)
  return fault === undefined ? { row } : { faults: [fault] }
}
