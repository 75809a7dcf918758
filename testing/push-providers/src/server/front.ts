import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy before a server, which can lose connections silently. */
export interface Front {
  readonly port: number
  /**
   * Lets nothing more through on the present connections, in either direction, and closes none: to its client each looks alive, as when a device in
   * between has forgotten it. Later connections work.
   */
  freeze(): void
  /** Makes new connections freeze from their beginning, or not any more. */
  freezeNew(isFrozen: boolean): void
  /** Ends all connections, frozen ones too, and takes no more. */
  close(): void
}

/** Starts a proxy on 127.0.0.1. @param port any free one when 0 */
export const openFront = async (target: () => number, port: number): Promise<Front> => {
  const pairs = new Set<readonly [near: Socket, far: Socket]>()
  let isFrozenNew = false

  const stall = ([near, far]: readonly [Socket, Socket]): void => {
    near.unpipe(far)
    far.unpipe(near)
    // Read on, so that neither side notices back pressure.
    for (const socket of [near, far]) socket.resume()
  }

  const server = createServer((near) => {
    const far = connect(target(), '127.0.0.1')
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.pipe(to)
      from.on('error', () => to.resetAndDestroy())
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
    if (isFrozenNew) stall(pair)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => {
      for (const pair of pairs) stall(pair)
    },
    freezeNew: (isFrozen) => {
      isFrozenNew = isFrozen
    },
    close: () => {
      server.close()
      for (const [near, far] of pairs) {
        near.destroy()
        far.destroy()
      }
    },
  }
}
