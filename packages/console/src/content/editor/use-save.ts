import { useMessages } from '../../session/session.tsx'
import { hideToast, showToast } from '../../ui/overlays.tsx'
import type { ContentType, Status } from '../items.ts'
import { undoChange } from '../items-api.ts'
import type { Editor } from './use-editor.ts'

/**
 * Returns the act that saves an item with a status and says so. What readers notice can be undone (M12). Open clashes come first: their notice,
 * with the id `clashesId`, gets the focus.
 */
export const useSave = (contentType: ContentType, editor: Editor, clashesId: string) => {
  const { editor: words, queue } = useMessages()
  const undo = () => {
    const { saved } = editor.latest()
    if (saved !== undefined)
      void undoChange(contentType, saved.item.itemId, saved.etag).then(editor.refresh, editor.fail)
  }
  const report = (status: Status, before: Status | undefined, isForDonors: boolean) => {
    const text = status === 'Live' && isForDonors ? words.doneForDonors : words.done[status]
    const isNoticed = status !== 'Draft' || before === 'Live'
    showToast({ text, ...(isNoticed && { action: { label: queue.undo, run: undo } }) })
  }
  return async (status: Status): Promise<void> => {
    const { clashes, saved, fields } = editor.latest()
    // An earlier message must not claim that this act succeeded.
    hideToast()
    if (clashes.length > 0) return document.getElementById(clashesId)?.focus()
    const isDone = await editor.save(status)
    if (isDone) report(status, saved?.item.status, fields.isDonorRestricted === '1')
  }
}
