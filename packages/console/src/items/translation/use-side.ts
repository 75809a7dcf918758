import { copyContent } from '../editor/copies.ts'
import type { CopyState } from '../editor/copy-writer.ts'
import { type AfterCreate, type Editor, useEditor } from '../editor/use-editor.ts'
import { useLeaveGuard } from '../editor/use-leave-guard.ts'
import { useWorkingCopy } from '../editor/use-working-copy.ts'
import type { SideStart } from './pair-api.ts'

/** The editor of one language, with the state of its working copy. */
interface SideEditor {
  readonly editor: Editor
  readonly copy: CopyState
}

/** Returns the editor of one language of a publication, whose text is kept on the server. */
export const useSide = (
  { start, created, newKey }: SideStart,
  afterCreate: AfterCreate,
  leave: string,
): SideEditor => {
  const editor = useEditor('library', start, created, afterCreate)
  const itemId = editor.state.saved?.item.itemId
  const content = editor.isDirty ? copyContent('library', editor.state) : undefined
  const wasRestored = start.restoredAt !== undefined
  const newCopy = useWorkingCopy(newKey, itemId === undefined ? content : undefined, wasRestored)
  const itemCopy = useWorkingCopy(itemId, content, wasRestored && newKey === undefined)
  const copy = itemId === undefined ? newCopy : itemCopy
  useLeaveGuard(copy, false, leave)
  return { editor, copy }
}
