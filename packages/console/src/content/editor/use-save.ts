import { useEffect } from 'react'
import { guardPage } from '../../session/router.ts'
import { useLocaleName, useMessages, useSession } from '../../session/session.tsx'
import { hideToast, showToast } from '../../ui/overlays.tsx'
import type { ContentType, Status } from '../items.ts'
import { undoChange } from '../items-api.ts'
import type { CopyState } from './copy-writer.ts'
import type { Fields } from './fields.ts'
import type { Editor } from './use-editor.ts'

/** Returns a function that says whether a day has not come yet for the service. */
export const useIsFuture = (): ((day: string) => boolean) => {
  const { serviceTimeZone } = useSession().session
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: serviceTimeZone, dateStyle: 'short' }).format()
  return (day) => day > today
}

/** The message after publishing: who sees it, and from when. */
interface PublishedWords {
  readonly now: Readonly<Record<'readers' | 'donors', string>>
  readonly from: Readonly<Record<'readers' | 'donors', (day: string) => string>>
}

/** Returns a function that says who sees what was published; under an embargo, from which day on (C9). */
export const usePublished = () => {
  const { embargo } = useSession().session
  const isFuture = useIsFuture()
  const dayOf = new Intl.DateTimeFormat(useLocaleName(), { dateStyle: 'long', timeZone: 'UTC' })
  return ({ isDonorRestricted, itemPublicationDate = '' }: Fields, words: PublishedWords): string => {
    const who = isDonorRestricted === '1' ? 'donors' : 'readers'
    const isLater = embargo && isFuture(itemPublicationDate)
    return isLater ? words.from[who](dayOf.format(new Date(itemPublicationDate))) : words.now[who]
  }
}

/**
 * Returns the act that saves an item with a status and says so. What readers notice can be undone (M12). Open clashes come first: their notice,
 * with the id `clashesId`, gets the focus.
 */
export const useSave = (contentType: ContentType, editor: Editor, clashesId: string) => {
  const { editor: words, queue } = useMessages()
  const published = usePublished()
  const undo = () => {
    const { saved } = editor.latest()
    if (saved !== undefined)
      void undoChange(contentType, saved.item.itemId, saved.etag).then(editor.refresh, editor.fail)
  }
  const report = (status: Status, before: Status | undefined, fields: Fields) => {
    const text = status === 'Live' ? published(fields, words.published) : words.done[status]
    const isNoticed = status !== 'Draft' || before === 'Live'
    showToast({ text, ...(isNoticed && { action: { label: queue.undo, run: undo } }) })
  }
  return async (status: Status): Promise<void> => {
    const { clashes, saved, fields } = editor.latest()
    // An earlier message must not claim that this act succeeded.
    hideToast()
    if (clashes.length > 0) return document.getElementById(clashesId)?.focus()
    const isDone = await editor.save(status)
    if (isDone) report(status, saved?.item.status, fields)
  }
}

/**
 * Asks before something is lost: text that could not be stored, also because another tab has stored a newer one, or an image whose upload is under way. Text that is about to be stored is sent
 * when the person goes to another page of the console; closing the page asks.
 */
export const useLeaveGuard = (copy: CopyState, isUploading: boolean, question: string): void => {
  const isLost = copy === 'failed' || copy === 'newer' || isUploading
  const mayBeLost = isLost || copy === 'waiting'
  useEffect(() => {
    if (!isLost) return
    guardPage(() => globalThis.confirm(question))
    return () => guardPage(undefined)
  }, [isLost, question])
  useEffect(() => {
    if (!mayBeLost) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onUnload)
    return () => removeEventListener('beforeunload', onUnload)
  }, [mayBeLost])
}
