import { ApiError } from '@almoner/client'
import { useRef } from 'react'
import { at } from '../../paths.ts'
import { changes } from '../../session/answers.ts'
import { goTo } from '../../session/router.ts'
import { useMessages } from '../../session/session.tsx'
import { useSeen } from '../../session/use-seen.ts'
import { SeenDanger } from '../../ui/controls.tsx'
import { showToast } from '../../ui/overlays.tsx'
import { type ContentType, pathOf } from '../items.ts'
import { deleteDraft } from '../items-api.ts'
import type { Saved } from './fields.ts'

const statusOf = (error: unknown): number | undefined =>
  error instanceof ApiError ? error.status : undefined

/** Deletes a draft that the person has seen, once per press. For ten seconds it can be brought back (C18, M12). */
export const DeleteDraft = ({
  contentType,
  saved,
  onFail,
}: {
  readonly contentType: ContentType
  /** The saved version; there is nothing to delete without one. */
  readonly saved: Saved | undefined
  readonly onFail: (error: unknown) => void
}) => {
  const { deletion } = useMessages()
  const draft = saved?.item.status === 'Draft' ? saved.item : undefined
  const seen = useSeen(draft?.updatedAt)
  const isBusy = useRef(false)
  if (draft === undefined) return null
  const bringBack = async (back: () => Promise<unknown>) => {
    try {
      await back()
      changes.report()
      goTo(pathOf(contentType, draft.itemId))
      showToast({ text: deletion.undone })
    } catch {
      showToast({ text: deletion.late })
    }
  }
  const remove = async () => {
    try {
      const back = await deleteDraft(contentType, draft.itemId, saved?.etag)
      changes.report()
      goTo(at(`/console/${contentType}`))
      showToast({ text: deletion.done, action: { label: deletion.undo, run: () => void bringBack(back) } })
    } catch (error) {
      const text = { 409: deletion.refused, 412: deletion.changed }[statusOf(error) ?? 0]
      if (text === undefined) onFail(error)
      else showToast({ text })
    }
  }
  const removeOnce = async () => {
    if (isBusy.current) return
    isBusy.current = true
    await remove()
    isBusy.current = false
  }
  return (
    <SeenDanger seen={seen} onAct={removeOnce}>
      {deletion.act}
    </SeenDanger>
  )
}
