import type { Rig } from './rig.ts'
import type { Server } from './servers.ts'
import { creating, updating } from './write-workloads.ts'

/** Writes that go on until they are told to stop. */
export interface SteadyWrites {
  /** Waits for the last answers and gives how many there were. Rejects when one was no 200. */
  stop(): Promise<number>
}

/**
 * Writes so many times a second, by turns a new item and a new title of an item on the page that everybody reads. A write begins when it
 * is due, whether or not the last one has been answered.
 */
export const writeSteadily = async (rig: Rig, { url }: Server, perSecond: number): Promise<SteadyWrites> => {
  // The first of them stays as it is: it is the one that is read alone.
  const [, ...ids] = await rig.itemIds()
  const written: Array<Promise<void>> = []
  const write = async (n: number): Promise<void> => {
    const id = ids[(n >> 1) % ids.length] ?? ''
    const {
      method,
      path,
      headers = {},
      body = Buffer.alloc(0),
    } = n % 2 === 0 ? creating(rig) : updating(rig, id, `Title ${n}`)
    const answer = await fetch(url + path, { method, headers, body: new Uint8Array(body) })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`a write was answered ${answer.status}`)
  }
  const timer = setInterval(() => written.push(write(written.length)), 1000 / perSecond)
  return {
    stop: async () => {
      clearInterval(timer)
      return (await Promise.all(written)).length
    },
  }
}
