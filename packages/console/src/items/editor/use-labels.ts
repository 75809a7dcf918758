import { useEffect, useState } from 'react'
import type { ContentType } from '../items.ts'
import { attachLabel, detachLabel, readLabels } from '../items-api.ts'

/** The labels of the item of an editor. */
interface ItemLabels {
  readonly selected: ReadonlyArray<string>
  /** Attaches or detaches labels at once; those of a new item wait until it is created. */
  readonly change: (next: ReadonlyArray<string>) => Promise<void>
  /** Attaches the labels that waited. */
  readonly attachWaiting: (itemId: string) => Promise<void>
}

/** Returns the labels of an item, or the labels that a new item will get: at first those of its working copy. */
export const useLabels = (
  contentType: ContentType,
  itemId: string | undefined,
  start: ReadonlyArray<string> = [],
): ItemLabels => {
  const [selected, setSelected] = useState(start)
  const [startId] = useState(itemId)
  useEffect(() => {
    if (startId === undefined) return
    const controller = new AbortController()
    readLabels(contentType, startId, controller.signal).then(setSelected, () => {})
    return () => controller.abort()
  }, [contentType, startId])
  return {
    selected,
    change: async (next) => {
      const before = selected
      setSelected(next)
      if (itemId === undefined) return
      const added = next.filter((id) => !before.includes(id))
      const removed = before.filter((id) => !next.includes(id))
      try {
        for (const id of added) await attachLabel(contentType, itemId, id)
        for (const id of removed) await detachLabel(contentType, itemId, id)
      } catch (error) {
        setSelected(before)
        throw error
      }
    },
    attachWaiting: async (id) => {
      for (const labelId of selected) await attachLabel(contentType, id, labelId)
    },
  }
}
