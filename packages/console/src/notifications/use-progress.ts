import { useEffect } from 'react'
import { useAnswer } from '../session/answers.ts'
import { momentOf, readNotification } from './notifications-api.ts'

/** Milliseconds between two questions while a notification goes out. */
const EACH = 1000

/** Reads a notification, and reads it again each second while it goes out and the page is visible. */
export const useProgress = (id: string) => {
  const asked = useAnswer(`notification ${id}`, (signal) => readNotification(id, signal))
  const { answer, isLoading, reload } = asked
  const found = answer?.data
  const isDue =
    found !== undefined && (momentOf(found.notification)?.getTime() ?? Number.POSITIVE_INFINITY) <= Date.now()
  const state = found?.delivery.state
  const isUnderWay = state === 'sending' || (state === 'scheduled' && isDue)
  useEffect(() => {
    if (!isUnderWay || isLoading || document.hidden) return
    const timer = setTimeout(reload, EACH)
    return () => clearTimeout(timer)
  }, [isUnderWay, isLoading, reload])
  return asked
}
