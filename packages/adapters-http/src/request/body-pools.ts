/** What a body holds of a pool: its bytes, counted as they are received. */
export interface PoolShare {
  /** Counts bytes and calls back: at once if there is room, else when there is. One call at a time may wait. */
  add(bytes: number, whenCounted: () => void): void
  /** Returns bytes that are no longer in memory. */
  give(bytes: number): void
  /** Returns all bytes and stops waiting. */
  release(): void
}

/** Opens the share of a body from a network. `isSmall` says whether it has at most `BODY_LIMIT` bytes, as far as is known. */
export type BodyPool = (network: string, isSmall: boolean) => PoolShare

/** The bounds of a pool, in bytes. */
interface Bounds {
  readonly total: number
  readonly perNetwork: number
  /** Whether one small body of each network is read beyond both bounds, so that a network cannot be locked out. */
  readonly hasReserve: boolean
}

/** Bytes that wait for room. */
interface Waiter {
  readonly bytes: number
  readonly counted: (isFromReserve: boolean) => void
}

/** The bodies of one network. Waiters are served in the order of their arrival, those of small bodies first. */
interface Network {
  used: number
  /** Bodies that may be counted. */
  bodies: number
  isReserveTaken: boolean
  readonly small: Set<Waiter>
  readonly large: Set<Waiter>
}

const isWaiting = ({ small, large }: Network): boolean => small.size + large.size > 0

/** The bytes of all networks. */
class Pool {
  readonly #bounds: Bounds
  readonly #networks = new Map<string, Network>()
  readonly #waiting = new Set<Network>()
  #used = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  enter(name: string): Network {
    const network = this.#networks.get(name) ?? {
      used: 0,
      bodies: 0,
      isReserveTaken: false,
      small: new Set<Waiter>(),
      large: new Set<Waiter>(),
    }
    network.bodies += 1
    this.#networks.set(name, network)
    return network
  }

  leave(name: string, network: Network): void {
    network.bodies -= 1
    if (network.bodies === 0) this.#networks.delete(name)
  }

  add(network: Network, waiter: Waiter, isSmall: boolean): void {
    network[isSmall ? 'small' : 'large'].add(waiter)
    this.#waiting.add(network)
    this.#serve(network)
  }

  remove(network: Network, waiter: Waiter): void {
    network.small.delete(waiter)
    network.large.delete(waiter)
  }

  give(network: Network, bytes: number): void {
    this.#used -= bytes
    network.used -= bytes
    this.#serve(network)
    // The room may be that of others. At most `total / perNetwork` networks are full while the pool is not, so few are tried in vain.
    if (bytes > 0)
      for (const other of this.#waiting) if (other !== network && this.#serve(other) === 'pool') break
  }

  /** Serves the waiters of a network. Returns which bound is reached, if a waiter remains. */
  #serve(network: Network): 'pool' | 'network' | undefined {
    const full = this.#serveAll(network, network.small, true) ?? this.#serveAll(network, network.large, false)
    if (!isWaiting(network)) this.#waiting.delete(network)
    return full
  }

  #serveAll(network: Network, waiters: Set<Waiter>, isSmall: boolean) {
    for (const waiter of waiters) {
      const full = this.#fullFor(network, waiter)
      const isFromReserve =
        full !== undefined && isSmall && this.#bounds.hasReserve && !network.isReserveTaken
      if (full !== undefined && !isFromReserve) return full
      waiters.delete(waiter)
      if (isFromReserve) network.isReserveTaken = true
      else this.#take(network, waiter.bytes)
      waiter.counted(isFromReserve)
    }
    return undefined
  }

  #take(network: Network, bytes: number): void {
    this.#used += bytes
    network.used += bytes
  }

  #fullFor(network: Network, { bytes }: Waiter): 'pool' | 'network' | undefined {
    // A body whose reading has not begun needs room for one byte.
    const needed = Math.max(bytes, 1)
    if (network.used + needed > this.#bounds.perNetwork) return 'network'
    return this.#used + needed > this.#bounds.total ? 'pool' : undefined
  }
}

/** The share of one body. */
class Share implements PoolShare {
  readonly #pool: Pool
  readonly #name: string
  readonly #network: Network
  readonly #isSmall: boolean
  #held = 0
  #isFromReserve = false
  #isReleased = false
  #waiter: Waiter | undefined

  constructor(pool: Pool, name: string, isSmall: boolean) {
    this.#pool = pool
    this.#name = name
    this.#network = pool.enter(name)
    this.#isSmall = isSmall
  }

  add(bytes: number, whenCounted: () => void): void {
    const counted = (isFromReserve: boolean): void => {
      this.#waiter = undefined
      this.#isFromReserve = isFromReserve
      if (!isFromReserve) this.#held += bytes
      whenCounted()
    }
    if (this.#isFromReserve) whenCounted()
    else {
      this.#waiter = { bytes, counted }
      this.#pool.add(this.#network, this.#waiter, this.#isSmall)
    }
  }

  give(bytes: number): void {
    const given = Math.min(bytes, this.#held)
    this.#held -= given
    if (!this.#isReleased) this.#pool.give(this.#network, given)
  }

  release(): void {
    if (this.#isReleased) return
    if (this.#waiter !== undefined) this.#pool.remove(this.#network, this.#waiter)
    if (this.#isFromReserve) this.#network.isReserveTaken = false
    this.give(this.#held)
    this.#isReleased = true
    this.#pool.leave(this.#name, this.#network)
  }
}

/** Makes a pool: the memory that bodies share while it is unknown who sends them (B10). Bytes that do not fit wait. */
export const makeBodyPool = (bounds: Bounds): BodyPool => {
  const pool = new Pool(bounds)
  return (network, isSmall) => new Share(pool, network, isSmall)
}
