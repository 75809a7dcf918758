/** What a body holds of a pool: its bytes, counted as they are received. */
export interface PoolShare {
  /** Counts bytes and calls back: at once if there is room, else when there is. One call at a time may wait. */
  readonly add: (bytes: number, whenCounted: () => void) => void
  /** Returns bytes that are no longer in memory. */
  readonly give: (bytes: number) => void
  /** Returns all bytes and stops waiting. */
  readonly release: () => void
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

  network(name: string): Network {
    const known = this.#networks.get(name)
    if (known !== undefined) return known
    const added = { used: 0, isReserveTaken: false, small: new Set<Waiter>(), large: new Set<Waiter>() }
    this.#networks.set(name, added)
    return added
  }

  add(network: Network, waiter: Waiter, isSmall: boolean): void {
    network[isSmall ? 'small' : 'large'].add(waiter)
    this.#waiting.add(network)
    this.#serve(network)
  }

  give(name: string, network: Network, bytes: number): void {
    this.#used -= bytes
    network.used -= bytes
    // At most `total / perNetwork` networks are full while the pool is not, so few of the others are tried in vain.
    for (const one of [network, ...(bytes > 0 ? this.#waiting : [])])
      if (!this.#serve(one) && one !== network) break
    if (network.used === 0 && !network.isReserveTaken && !isWaiting(network)) this.#networks.delete(name)
  }

  /** Serves the waiters of a network; false if one waits though the network is not full. */
  #serve(network: Network): boolean {
    for (const kind of ['small', 'large'] as const)
      for (const waiter of network[kind]) {
        const place = this.#placeFor(network, waiter, kind === 'small')
        if (place === 'none') return false
        if (place === 'none in the network') break
        network[kind].delete(waiter)
        if (place === 'reserve') network.isReserveTaken = true
        else {
          this.#used += waiter.bytes
          network.used += waiter.bytes
        }
        waiter.counted(place === 'reserve')
      }
    if (!isWaiting(network)) this.#waiting.delete(network)
    return true
  }

  #placeFor(network: Network, { bytes }: Waiter, isSmall: boolean) {
    const { total, perNetwork, hasReserve } = this.#bounds
    // A body whose reading has not begun needs room for one byte.
    const needed = Math.max(bytes, 1)
    const [isFull, isNetworkFull] = [this.#used + needed > total, network.used + needed > perNetwork]
    if (!isFull && !isNetworkFull) return 'pool'
    if (hasReserve && isSmall && !network.isReserveTaken) return 'reserve'
    return isNetworkFull ? 'none in the network' : 'none'
  }
}

/** Makes a pool: the memory that bodies share while it is unknown who sends them (B10). Bytes that do not fit wait. */
export const makeBodyPool = (bounds: Bounds): BodyPool => {
  const pool = new Pool(bounds)
  return (name, isSmall) => {
    const network = pool.network(name)
    let [held, isInReserve, isReleased] = [0, false, false]
    let waiter: Waiter | undefined
    return {
      add: (bytes, whenCounted) => {
        if (isInReserve) return whenCounted()
        const counted = (isFromReserve: boolean) => {
          waiter = undefined
          if (isFromReserve) isInReserve = true
          else held += bytes
          whenCounted()
        }
        waiter = { bytes, counted }
        return pool.add(network, waiter, isSmall)
      },
      give: (bytes) => {
        const given = Math.min(bytes, held)
        held -= given
        if (given > 0) pool.give(name, network, given)
      },
      release: () => {
        if (isReleased) return
        isReleased = true
        if (waiter !== undefined) network[isSmall ? 'small' : 'large'].delete(waiter)
        if (isInReserve) network.isReserveTaken = false
        const given = held
        held = 0
        pool.give(name, network, given)
      },
    }
  }
}
