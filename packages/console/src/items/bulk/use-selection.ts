import { useRef, useState } from 'react'
import type { Item } from '../items.ts'
import { MOST_SELECTED } from './bulk.ts'

/** The selected items of a list, as the person saw them when selecting. */
export interface Selection {
  readonly items: ReadonlyMap<string, Item>
  readonly isSelected: (item: Item) => boolean
  /** Selects or unselects an item; with `isRange`, all listed items from the one before to this one. */
  readonly toggle: (item: Item, isRange: boolean) => void
  /** Selects both items and those between them. */
  readonly extend: (from: Item, to: Item) => void
  /** Selects all listed items, or none if all are selected. */
  readonly toggleAll: () => void
  readonly clear: () => void
}

const EMPTY: ReadonlyMap<string, Item> = new Map()

/** Returns the items from one to another, in either direction. */
const between = (listed: ReadonlyArray<Item>, from: string | undefined, to: string): ReadonlyArray<Item> => {
  const ends = [from, to].map((id) => listed.findIndex(({ itemId }) => itemId === id))
  const [first = -1, last = -1] = ends.toSorted((a, b) => a - b)
  return first < 0 ? listed.filter(({ itemId }) => itemId === to) : listed.slice(first, last + 1)
}

/**
 * Returns the selection of a list. An item stays selected as it was seen, also when it changes or leaves the list meanwhile, so that an act
 * cannot change what the person has not seen.
 */
export const useSelection = (listed: ReadonlyArray<Item>): Selection => {
  const [items, setItems] = useState(EMPTY)
  const latest = useRef<string>(undefined)

  const set = (changed: ReadonlyArray<Item>, isSelected: boolean) =>
    setItems((before) => {
      const after = new Map(before)
      for (const item of changed) {
        if (!isSelected) after.delete(item.itemId)
        else if (after.size < MOST_SELECTED && !after.has(item.itemId)) after.set(item.itemId, item)
      }
      return after
    })
  const isSelected = ({ itemId }: Item) => items.has(itemId)
  return {
    items,
    isSelected,
    toggle: (item, isRange) => {
      set(isRange ? between(listed, latest.current, item.itemId) : [item], !isSelected(item))
      latest.current = item.itemId
    },
    extend: (from, to) => {
      set(between(listed, from.itemId, to.itemId), true)
      latest.current = to.itemId
    },
    toggleAll: () => set(listed, !listed.every(isSelected)),
    clear: () => setItems(EMPTY),
  }
}
