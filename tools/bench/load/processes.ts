import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Order, Paced } from './generator.ts'
import type { Pace } from './pace.ts'
import type { Fired, Volley } from './volley.ts'
import { wordOf } from './word-of.ts'

const BENCH = join(import.meta.dirname, '..')

/** A process of the bench. */
export interface Helper {
  readonly pid: number
  /** Sends it something and resolves with its answer. Rejects when it ends instead. */
  ask(word: unknown): Promise<unknown>
  stop(): Promise<void>
}

/** Starts a process of a file in bench/. */
export const startHelper = (file: string): Helper => {
  const child = fork(join(BENCH, file), { serialization: 'advanced' })
  return {
    pid: child.pid ?? 0,
    ask: (word) => {
      child.send(word as object)
      return wordOf(child)
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

/** The one process that makes requests: it stays, so that its code is compiled. */
export interface Generator {
  readonly pid: number
  fire(volley: Volley): Promise<Fired>
  pace(pace: Pace): Promise<Paced>
  stop(): Promise<void>
}

/** Starts it. */
export const startGenerator = (): Generator => {
  const { pid, ask, stop } = startHelper('load/generator.ts')
  const order = (word: Order) => ask(word)
  return {
    pid,
    fire: async (volley) => (await order({ volley })) as Fired,
    pace: async (pace) => (await order({ pace })) as Paced,
    stop,
  }
}
