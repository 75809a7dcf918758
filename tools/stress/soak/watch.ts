import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** What a process holds at a moment. Memory in MB. */
export interface Held {
  readonly memory: number
  readonly heap: number
  /** Outside the heap, and known to V8: the bytes of buffers. */
  readonly external: number
  readonly files: number
}

/** Looks at a process from outside, and at its heap by its own figures. */
export const look = async ({ pid }: ChildProcess, url: string): Promise<Held> => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const figures = await (await fetch(`${url}/metrics`)).text()
  return {
    memory: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024,
    heap: Number(/^nodejs_heap_size_used_bytes (\S+)/m.exec(figures)?.[1]) / 1_048_576,
    external: Number(/^nodejs_external_memory_bytes (\S+)/m.exec(figures)?.[1]) / 1_048_576,
    files: readdirSync(`/proc/${pid}/fd`).length,
  }
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** The medians of the quarters of a run. */
export const quarters = (seen: ReadonlyArray<Held>): ReadonlyArray<Held> =>
  [0, 1, 2, 3].map((quarter) => {
    const part = seen.slice((seen.length * quarter) / 4, (seen.length * (quarter + 1)) / 4)
    const of = (key: keyof Held) => median(part.map((held) => held[key]))
    return { memory: of('memory'), heap: of('heap'), external: of('external'), files: of('files') }
  })
