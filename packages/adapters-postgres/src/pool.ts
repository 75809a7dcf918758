import { makeSlots, type Slots } from '@almoner/adapters-kysely'
import type { Connection } from './connect.ts'

/** Milliseconds after which an unused connection is closed. */
const IDLE = 30_000

/** A connection that is the borrower's until it is given back. */
export interface Loan {
  readonly connection: Connection
  giveBack(): void
}

/** Connections, bounded in number, opened as they are needed and kept for a while. */
export interface Pool {
  /** Waits for one. Throws `Outage` when none is to be had. */
  borrow(): Promise<Loan>
  /** Rejects new requests; resolves when all connections have been released. */
  close(): Promise<void>
  /** Breaks off every connection that is borrowed. */
  breakOff(): void
}

interface Resting {
  readonly connection: Connection
  readonly since: number
}

export const makePool = (
  connect: () => Promise<Connection>,
  bounds: Parameters<typeof makeSlots>[0],
): Pool => {
  const slots: Slots = makeSlots(bounds)
  const borrowed = new Set<Connection>()
  let resting: Array<Resting> = []

  const dismiss = (which: (one: Resting) => boolean) => {
    for (const { connection } of resting.filter(which)) connection.end()
    resting = resting.filter((one) => !which(one))
  }
  const sweep = setInterval(() => {
    const now = performance.now()
    dismiss(({ connection, since }) => connection.isBroken() || now - since > IDLE)
  }, IDLE).unref()

  const rested = (): Connection | undefined => {
    const one = resting.pop()
    return one?.connection.isBroken() ? rested() : one?.connection
  }

  const loan = (connection: Connection, letGo: () => void): Loan => {
    borrowed.add(connection)
    return {
      connection,
      giveBack: () => {
        // The other connections are probably broken too; connecting again detects that sooner.
        if (connection.isBroken()) dismiss(() => true)
        else resting.push({ connection, since: performance.now() })
        borrowed.delete(connection)
        letGo()
      },
    }
  }

  return {
    async borrow() {
      const letGo = await slots.take()
      try {
        return loan(rested() ?? (await connect()), letGo)
      } catch (cause) {
        letGo()
        throw cause
      }
    },
    async close() {
      clearInterval(sweep)
      await slots.drain()
      dismiss(() => true)
    },
    breakOff() {
      for (const connection of borrowed) connection.end()
    },
  }
}
