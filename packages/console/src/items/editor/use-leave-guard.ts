import { useEffect } from 'react'
import { guardPage } from '../../session/router.ts'
import type { CopyState } from './copy-writer.ts'

/**
 * Asks before something is lost: text that could not be stored, or images of a new item, which wait in the page. Text that is about to be
 * stored is sent when the person goes to another page of the console; closing the page asks.
 */
export const useLeaveGuard = (copy: CopyState, hasImages: boolean, question: string): void => {
  const isLost = copy === 'failed' || hasImages
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
