import { useState } from 'react'
import { changes } from '../../session/answers.ts'
import { useMessages } from '../../session/session.tsx'
import { showToast } from '../../ui/overlays.tsx'
import type { ContentType } from '../items.ts'
import { type Revision, restoreRevision } from './history-api.ts'

/** Restores revisions of an item. */
interface Restoring {
  /** Why the server refused the latest attempt. */
  readonly refused: unknown
  /** Restores a revision, and offers to go back to the one that was the latest. */
  readonly restore: (revision: Revision, latest: Revision, etag: string | undefined) => Promise<void>
}

/** Returns the means to restore revisions of an item. A restore is a change like any other, so it is undone by another one. */
export const useRestore = (contentType: ContentType, itemId: string): Restoring => {
  const { history, queue } = useMessages()
  const [refused, setRefused] = useState<unknown>()
  const run = async (number: number, etag: string | undefined) => {
    setRefused(undefined)
    try {
      return { etag: await restoreRevision(contentType, itemId, number, etag) }
    } catch (error) {
      setRefused(error)
      return undefined
    } finally {
      changes.report()
    }
  }
  return {
    refused,
    restore: async (revision, latest, etag) => {
      const restored = await run(revision.number, etag)
      if (restored === undefined) return
      const undo = () => void run(latest.number, restored.etag)
      showToast({ text: history.done, action: { label: queue.undo, run: undo } })
    },
  }
}
