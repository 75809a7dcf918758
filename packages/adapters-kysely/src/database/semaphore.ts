import { Outage } from './unavailable.ts'

interface Bounds {
  /** How many may hold a slot at a time. */
  readonly slots: number
  /** How many more may wait for one. */
  readonly waiters: number
  /** For how many milliseconds each of them waits. */
  readonly patience: number
}

/** A bounded number of places and a bounded queue for them, first come, first served. */
export interface Slots {
  /** Waits for a permit and returns the function that releases it. Throws {@link Outage} after too long, or if the queue is full. */
  take(): Promise<() => void>
  /** Rejects new requests; resolves when all permits have been released. */
  drain(): Promise<void>
}

/** Places that are all free, with these bounds. */
export const makeSlots = ({ slots, waiters, patience }: Bounds): Slots => {
  const queue: Array<() => void> = []
  const idle = Promise.withResolvers<void>()
  let taken = 0
  let draining = false

  const settle = () => {
    if (draining && taken === 0) idle.resolve()
  }

  const letGo = () => {
    const next = queue.shift()
    // Passes the permit directly to the next in the queue, so that no later request overtakes it.
    if (next !== undefined) return next()
    taken -= 1
    settle()
  }

  /** Releasing twice must not free another permit. */
  const once = () => {
    let held = true
    return () => {
      if (held) letGo()
      held = false
    }
  }

  const wait = (): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer)
        resolve(once())
      }
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(turn), 1)
        reject(new Outage('the database has been busy for too long'))
      }, patience)
      queue.push(turn)
    })

  return {
    async take() {
      if (draining) throw new Outage('the database is closed')
      if (taken >= slots) {
        if (queue.length >= waiters) throw new Outage('too many wait for the database')
        return wait()
      }
      taken += 1
      return once()
    },
    drain() {
      draining = true
      settle()
      return idle.promise
    },
  }
}
