import type { Task } from 'fp-ts/lib/Task.js'

/** How many requests may wait for changes in a process (N4). */
export interface WaitLimits {
  readonly ofAddress: number
  readonly total: number
  /** Called whenever {@link MANY} wait: memory that each of them leaves should be given back early from then on. */
  readonly onMany?: () => void
}

/** Waiting requests that cost a process more memory than all else that it does. */
const MANY = 1000

/** The limits of a service that sets none. */
export const WAIT_LIMITS: WaitLimits = { ofAddress: 1000, total: 10_000 }

/** The longest wait, in seconds: more counts as this. */
const LONGEST = 60

/** Returns the seconds that a `Prefer` asks to be waited for (RFC 7240); undefined without, and for a bad value. */
export const waitOf = (prefer: string | undefined): number | undefined => {
  if (prefer === undefined) return undefined
  for (const preference of prefer.split(',')) {
    const [, value] = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;.*)?$/i.exec(preference) ?? []
    // Of a preference that is given twice the first one counts.
    if (value !== undefined) return Number(value) === 0 ? undefined : Math.min(Number(value), LONGEST)
    if (/^\s*wait\b/i.test(preference)) return undefined
  }
  return undefined
}

/** A request that is ready to wait. */
export interface WaitRequest {
  readonly seconds: number
  /** Its address, whose waits are counted. */
  readonly address: string
  /** Called when it begins to wait: its caller has to be looked up again before the response (A9). */
  begin(): void
  /** Called when the wait that began is over. */
  end(): void
  /** Calls back once its client has gone, or has its response. */
  onClose(callback: () => void): void
}

/** An answer, and whether its request counted as one that waits. */
export interface Held<A> {
  readonly answer: A
  readonly isHeld: boolean
}

/** What a question found. */
export interface Found<A> {
  readonly answer: A
  /** What a request that has this answer waits for; undefined if the answer is no reason to wait. */
  readonly key: string | undefined
  /** Asks again. */
  readonly again: () => Promise<Found<A>>
}

/** A request that waits. */
interface Waiter<A> {
  readonly request: WaitRequest
  readonly until: number
  readonly resolve: (held: Held<A>) => void
  /** Whether its client has gone, or has its response. */
  isClosed: boolean
  /** Called then, if the next one is to be answered after it. */
  onClosed: (() => void) | undefined
}

const closing = <A>(waiter: Waiter<A>): Promise<void> =>
  waiter.isClosed
    ? Promise.resolve()
    : new Promise((resolve) => {
        waiter.onClosed = resolve
      })

/** All that wait for the same. */
interface Group<A> {
  found: Found<A>
  readonly waiters: Set<Waiter<A>>
  /** Whether something may have changed since its answer: before its first look, or where asking failed. */
  isLate: boolean
}

/** Milliseconds from one look at the clock to the next, looks of the clock from one at the store to the next, and waits that end at a time. */
const TICK = 250
const LOOK = 4
const AT_ONCE = 100

/** Milliseconds after which the next wait ends though the client has not taken its response. */
const PATIENCE = 1000

/** Milliseconds after which a wait ends: earlier than asked, before a proxy cuts it. */
const lengthOf = (seconds: number): number => 1000 * seconds - Math.min(5000, 250 * seconds)

/** What waits need. */
interface WaitsOptions {
  readonly limits: WaitLimits
  /** Returns a text that differs whenever an answer may; undefined if it cannot be known just now. */
  readonly watch: Task<string | undefined>
  /** Waits for milliseconds. */
  readonly pause: (milliseconds: number) => Task<void>
  /** Milliseconds of a clock that is never set. */
  readonly now: () => number
}

/** Requests that wait until their answer changes. */
export interface Waits<A> {
  /** Asks, and holds the request back while the answer is a reason to wait, if there is room for it. */
  hold(wait: WaitRequest, ask: () => Promise<Found<A>>): Promise<Held<A>>
  /** Returns how many wait. */
  waiting(): number
  /** Ends all waits with the answers that they have, for good: the service stops. */
  end(): void
}

/** Makes the waits of a process. One look a second and one question for all that wait for the same: no store is asked for each of them (N4). */
export const makeWaits = <A>({ limits, watch, pause, now }: WaitsOptions): Waits<A> => {
  const groups = new Map<string, Group<A>>()
  const ofAddresses = new Map<string, number>()
  let [total, changes, isEnded, isRunning] = [0, 0, false, false]
  let mark: string | undefined

  /** Counts a request; false if there is no room for it. */
  const enter = (address: string): boolean => {
    const some = ofAddresses.get(address) ?? 0
    if (isEnded || total >= limits.total || some >= limits.ofAddress) return false
    total += 1
    if (total === MANY) limits.onMany?.()
    ofAddresses.set(address, some + 1)
    return true
  }

  const leave = (address: string): void => {
    total -= 1
    const some = (ofAddresses.get(address) ?? 1) - 1
    if (some > 0) ofAddresses.set(address, some)
    else ofAddresses.delete(address)
  }

  /** Ends a wait that is in no group any more. */
  const finish = ({ request, resolve }: Waiter<A>, answer: A): void => {
    request.end()
    leave(request.address)
    resolve({ answer, isHeld: true })
  }

  const release = async (waiters: Iterable<Waiter<A>>, answer: A): Promise<void> => {
    const left = waiters[Symbol.iterator]()
    const work = async (): Promise<void> => {
      for (let next = left.next(); next.done !== true; next = left.next()) {
        finish(next.value, answer)
        await Promise.race([closing(next.value), pause(PATIENCE)()])
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  const join = (found: Found<A>, key: string, waiters: Iterable<Waiter<A>>, isLate: boolean): void => {
    const group = groups.get(key) ?? { found, waiters: new Set<Waiter<A>>(), isLate: false }
    group.isLate ||= isLate
    for (const waiter of waiters) group.waiters.add(waiter)
    groups.set(key, group)
  }

  /** Asks for a group, and ends its waits if that finds something. Otherwise it waits on, perhaps for something else. */
  const askAgain = async (key: string, group: Group<A>): Promise<void> => {
    group.isLate = true
    const found = await group.found.again()
    if (groups.get(key) === group) groups.delete(key)
    if (found.key === undefined) await release([...group.waiters], found.answer)
    else join(found, found.key, group.waiters, false)
  }

  const endLate = (): void => {
    const time = now()
    for (const [key, { found, waiters }] of groups) {
      const late = [...waiters].filter(({ until }) => until <= time)
      for (const waiter of late) waiters.delete(waiter)
      if (waiters.size === 0) groups.delete(key)
      void release(late, found.answer)
    }
  }

  const look = async (): Promise<void> => {
    const seen = await watch()
    const isChanged = seen !== undefined && seen !== mark
    if (isChanged) {
      mark = seen
      changes += 1
    }
    const asked = [...groups].filter(([, group]) => isChanged || group.isLate)
    await Promise.all(asked.map(([key, group]) => askAgain(key, group)))
  }

  const run = async (): Promise<void> => {
    for (let tick = 0; groups.size > 0; tick += 1) {
      await pause(TICK)()
      endLate()
      // What goes wrong here goes wrong again for the request that asks next.
      if (tick % LOOK === 0) await look().catch(() => undefined)
    }
    isRunning = false
    mark = undefined
  }

  // Thousands wait: a waiting request keeps neither its question nor its answer, so nothing here closes over them.

  const closer = (waiter: Waiter<A>) => (): void => {
    waiter.isClosed = true
    waiter.onClosed?.()
    for (const { found, waiters } of groups.values()) if (waiters.delete(waiter)) finish(waiter, found.answer)
  }

  const stay = (waiter: Waiter<A>, found: Found<A>, key: string, isLate: boolean): void => {
    waiter.request.begin()
    join(found, key, [waiter], isLate)
    waiter.request.onClose(closer(waiter))
    if (isRunning) return
    isRunning = true
    void run()
  }

  return {
    hold: (request, ask) =>
      new Promise((resolve, reject) => {
        const isHeld = enter(request.address)
        const before = changes
        const begin = (found: Found<A>): void => {
          const { key, answer } = found
          if (isHeld && !isEnded && key !== undefined) {
            const until = now() + lengthOf(request.seconds)
            const waiter = { request, until, resolve, isClosed: false, onClosed: undefined }
            stay(waiter, found, key, changes !== before)
          } else {
            if (isHeld) leave(request.address)
            resolve({ answer, isHeld })
          }
        }
        const fail = (cause: unknown): void => {
          if (isHeld) leave(request.address)
          reject(cause)
        }
        ask().then(begin, fail)
      }),
    waiting: () => total,
    end: () => {
      isEnded = true
      for (const { found, waiters } of groups.values()) {
        for (const waiter of waiters) finish(waiter, found.answer)
        waiters.clear()
      }
      groups.clear()
    },
  }
}
