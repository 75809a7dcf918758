import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { makeGate, SEEN_AFTER } from './gate.ts'

/** The presses of a page on one thing that it shows. */
export interface Seen {
  /** Whether the person has had it on the screen long enough, so that presses act. */
  readonly isSeen: boolean
  /** Notes the beginning of a press, where it is handled. */
  readonly begin: () => void
  /** Ends a press. Returns whether it acts on the thing that is shown now. */
  readonly end: () => boolean
}

const PRESSES = ['pointerdown', 'keydown', 'click'] as const

/** Follows what a page shows, and decides which presses act on it (M12). `key` names it with its version; undefined while nothing is shown. */
export const useSeen = (key: string | undefined): Seen => {
  const [gate] = useState(makeGate)
  const [seen, setSeen] = useState<string>()
  const [round, setRound] = useState(0)
  const pressedAt = useRef(0)
  useEffect(() => {
    // A busy page handles a press late: the moment of the press counts.
    const note = ({ timeStamp }: Event) => {
      pressedAt.current = timeStamp
    }
    for (const press of PRESSES) addEventListener(press, note, { capture: true })
    return () => {
      for (const press of PRESSES) removeEventListener(press, note, { capture: true })
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: after an act the same thing must be seen again
  useLayoutEffect(() => {
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      gate.hide()
      setSeen(undefined)
    }
    const start = () => {
      stop()
      if (key === undefined || document.visibilityState === 'hidden') return
      // The second frame comes after the first one with this content has been painted.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => {
          gate.show(key, performance.now())
          timer = setTimeout(() => setSeen(key), SEEN_AFTER)
        })
      })
    }
    start()
    document.addEventListener('visibilitychange', start)
    return () => {
      document.removeEventListener('visibilitychange', start)
      stop()
    }
  }, [key, round])
  return {
    isSeen: key !== undefined && seen === key,
    begin: () => gate.begin(Math.min(pressedAt.current, performance.now())),
    end: () => {
      const taken = gate.end()
      if (taken !== undefined) setRound((count) => count + 1)
      return taken !== undefined && taken === key
    },
  }
}
