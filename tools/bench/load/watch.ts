import { cpus } from 'node:os'
import { busy, cpuOf, stolen } from './machine.ts'

/** Who had the machine for a while. */
export interface Watched {
  readonly seconds: number
  /** Seconds of processor time: of this process, and of the server with all its threads. */
  readonly own: number
  readonly server: number
  /** The share of the whole machine that went to strangers, or to those who share the machine below it. */
  readonly others: number
  /** Seconds of processor time that those who share the machine below it took away. */
  readonly stolen: number
}

const secondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000_000

/**
 * Looks at who has the machine, from now until the function that it gives is called.
 * @param server the server's processes
 * @param known others that belong to the measurement, so that they are not taken for strangers
 */
export const watch = (server: ReadonlyArray<number>, known: ReadonlyArray<number>): (() => Watched) => {
  const before = {
    at: performance.now(),
    server: cpuOf(server),
    known: cpuOf(known),
    own: process.cpuUsage(),
    busy: busy(),
    stolen: stolen(),
  }
  return () => {
    const seconds = (performance.now() - before.at) / 1000
    const own = secondsOf(process.cpuUsage(before.own))
    const [cpu, also, all] = [
      cpuOf(server) - before.server,
      cpuOf(known) - before.known,
      busy() - before.busy,
    ]
    const others = Math.max(0, all - cpu - own - also) / seconds / cpus().length
    return { seconds, own, server: cpu, others, stolen: stolen() - before.stolen }
  }
}
