/** Milliseconds after a person's last touch for which a page counts as attended. */
const ATTENDED = 60_000

let lastTouch = performance.now()

const note = () => {
  lastTouch = performance.now()
}

/** Notes each touch of the page, so that the requests of a forgotten page do not keep its session alive (M4). */
export const watchAttention = (): void => {
  for (const touch of ['pointerdown', 'keydown', 'wheel', 'touchmove'])
    addEventListener(touch, note, { capture: true, passive: true })
}

/** Returns whether a person has touched the page lately. */
export const isAttended = (): boolean => performance.now() - lastTouch < ATTENDED
