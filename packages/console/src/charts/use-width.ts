import { type RefCallback, useCallback, useState } from 'react'

/** Measures the width of an element in whole pixels, again whenever it changes. It is 0 until the element is in the page. */
export const useWidth = (): readonly [ref: RefCallback<HTMLElement>, width: number] => {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
