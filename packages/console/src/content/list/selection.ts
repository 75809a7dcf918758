import { useRef, useState } from 'react'
import { MOST_SELECTED } from '../bulk/bulk.ts'
import type { Row } from '../items.ts'

/** The selected rows of a list, with their items as the person saw them when selecting. */
export interface Selection {
  readonly rows: ReadonlyMap<string, Row>
  readonly isSelected: (row: Row) => boolean
  /** Selects or unselects a row; with `isRange`, all listed rows from the one before to this one. */
  readonly toggle: (row: Row, isRange: boolean) => void
  /** Selects both rows and those between them. */
  readonly extend: (from: Row, to: Row) => void
  /** Selects all listed rows, or none if all are selected. */
  readonly toggleAll: () => void
  /** Selects further rows, which need not be listed. */
  readonly add: (rows: ReadonlyArray<Row>) => void
  readonly clear: () => void
}

const EMPTY: ReadonlyMap<string, Row> = new Map()

/** Returns the rows from one to another, in either direction. */
const between = (listed: ReadonlyArray<Row>, from: string | undefined, to: string): ReadonlyArray<Row> => {
  const ends = [from, to].map((end) => listed.findIndex(({ id }) => id === end))
  const [first = -1, last = -1] = ends.toSorted((a, b) => a - b)
  return first < 0 ? listed.filter(({ id }) => id === to) : listed.slice(first, last + 1)
}

/**
 * Returns the selection of a list. A row stays selected as it was seen, also when it changes or leaves the list meanwhile, so that an act
 * cannot change what the person has not seen.
 */
export const useSelection = (listed: ReadonlyArray<Row>): Selection => {
  const [rows, setRows] = useState(EMPTY)
  const latest = useRef<string>(undefined)

  const set = (changed: ReadonlyArray<Row>, isSelected: boolean) =>
    setRows((before) => {
      const after = new Map(before)
      for (const row of changed) {
        if (!isSelected) after.delete(row.id)
        else if (after.size < MOST_SELECTED && !after.has(row.id)) after.set(row.id, row)
      }
      return after
    })
  const isSelected = ({ id }: Row) => rows.has(id)
  return {
    rows,
    isSelected,
    toggle: (row, isRange) => {
      set(isRange ? between(listed, latest.current, row.id) : [row], !isSelected(row))
      latest.current = row.id
    },
    extend: (from, to) => {
      set(between(listed, from.id, to.id), true)
      latest.current = to.id
    },
    toggleAll: () => set(listed, !listed.every(isSelected)),
    add: (more) => set(more, true),
    clear: () => setRows(EMPTY),
  }
}
