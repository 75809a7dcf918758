import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Returns a reference for an element with a limited number of lines, and whether it cuts its text. */
export const useCut = (text: string): readonly [RefObject<HTMLParagraphElement | null>, boolean] => {
  const element = useRef<HTMLParagraphElement>(null)
  const [isCut, setIsCut] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return
    const measure = () => setIsCut(current.scrollHeight > current.clientHeight + 1)
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [text])
  return [element, isCut]
}
