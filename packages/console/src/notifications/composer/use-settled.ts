import { useEffect, useState } from 'react'

/** Milliseconds after the last key until a text counts as settled. */
const PAUSE = 300

/** Returns a text once it has not changed for a moment. */
export const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
