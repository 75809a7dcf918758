import { performance } from 'node:perf_hooks'

/** What a flood of pushes took. */
export interface Flooded {
  readonly perSecond: number
  /** Of this process and all its threads, in microseconds. */
  readonly cpuPerPush: number
  /** Megabytes on the heap, and of the whole process, after so many pushes; where the process may collect garbage itself. */
  readonly memory: ReadonlyArray<{
    readonly pushes: number
    readonly heap: number
    readonly resident: number
  }>
}

/** How many pushes, and how many of them at a time. */
export interface FloodSize {
  /** In all, at each place where memory is looked at; the last is how many there are. */
  readonly marks: ReadonlyArray<number>
  readonly window: number
}

/** Before anything is measured, connections are made and code is compiled. */
const WARM_UP = 3000
const MEGABYTE = 2 ** 20

const sendUpTo = async (
  from: number,
  to: number,
  window: number,
  send: (n: number) => Promise<void>,
): Promise<void> => {
  let next = from
  const line = async (): Promise<void> => {
    while (next < to) {
      next += 1
      await send(next)
    }
  }
  await Promise.all(Array.from({ length: window }, line))
}

/** Sends so many, always as many at a time as the window holds. */
export const flood = async (
  { marks, window }: FloodSize,
  send: (n: number) => Promise<void>,
): Promise<Flooded> => {
  await sendUpTo(0, Math.min(WARM_UP, marks[0] ?? 0), window, send)
  const memory: Array<Flooded['memory'][number]> = []
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  let sent = 0
  for (const mark of marks) {
    await sendUpTo(sent, mark, window, send)
    sent = mark
    globalThis.gc?.()
    const { heapUsed, rss } = process.memoryUsage()
    memory.push({ pushes: sent, heap: heapUsed / MEGABYTE, resident: rss / MEGABYTE })
  }
  const seconds = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: sent / seconds, cpuPerPush: (user + system) / sent, memory }
}
