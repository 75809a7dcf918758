/** How often the machine's clock is looked at, in milliseconds. */
const LOOK = 1000

/** A step of the clock of less than this, in milliseconds, makes no difference to anything that is planned. */
const LEAST = 1000

const ahead = (): number => Date.now() - performance.now()

/**
 * Tells whenever the machine's clock has been set, by how many milliseconds. It is seen by a clock that nobody sets, within a
 * second. Gives a function that ends the watch.
 */
export const watchClock = (told: (step: number) => void): (() => void) => {
  let before = ahead()
  const timer = setInterval(() => {
    const step = ahead() - before
    before += step
    if (Math.abs(step) >= LEAST) told(Math.round(step))
  }, LOOK).unref()
  return () => clearInterval(timer)
}
