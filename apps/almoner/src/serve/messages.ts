import type { Worker } from 'node:cluster'
import { type BirpcReturn, createBirpc } from 'birpc'
import type { MetricValues } from '../composition/http.ts'
import type { CountMessage } from '../composition/node.ts'

/** What a worker has to know before it starts to listen. */
interface Registration {
  /** From 1 on. A replacement has the number of the worker that it replaces. */
  readonly number: number
  readonly port: number
  /** The name of the primary's node, new at each start. */
  readonly node: string
  /** Whether the primary is stopping already. */
  readonly isStopping: boolean
}

/** Functions of the primary that workers call. */
export interface PrimaryFunctions {
  /** Call it first: the primary sends nothing before. */
  readonly register: () => Registration
  /** Reports that the worker accepts requests. Resolves when it may start its jobs, with whether maintenance is among them. */
  readonly ready: () => Promise<boolean>
  /** Reports what other workers count too (A8). */
  readonly count: (message: CountMessage) => void
  /** Returns the reports of the last minute, those of ended workers included. */
  readonly counts: () => ReadonlyArray<CountMessage>
  /** Reports the metrics of a worker that ends. */
  readonly lastMetrics: (values: MetricValues) => void
  /** Returns the metrics of all workers as Prometheus reads them. */
  readonly allMetrics: () => Promise<string>
}

/** Functions of a worker that the primary calls. */
export interface WorkerFunctions {
  /** Finishes running requests, within the time for that, and ends the process. */
  readonly stop: () => void
  /** Resolves when the worker accepts no connections any more and has released its claims. It ends with its last connection. */
  readonly drain: () => Promise<void>
  readonly count: (message: CountMessage) => void
  readonly metrics: () => Promise<MetricValues>
}

/** Calls that need no response. */
const EVENTS = ['stop', 'count', 'lastMetrics'] as const

/** Connects two processes. Messages to an ended process are lost. Unknown events, of a newer program, are ignored. */
export const connect = <Remote extends object, Local extends object>(
  worker: Worker,
  local: Local,
): BirpcReturn<Remote, Local> =>
  createBirpc<Remote, Local>(local, {
    post: (message) => new Promise<void>((resolve) => void worker.send(message, () => resolve())),
    on: (listener) => void worker.on('message', listener),
    eventNames: EVENTS as unknown as Array<keyof Remote>,
    // A worker waits for as long as it takes the slowest one to start; callers set shorter limits themselves.
    timeout: -1,
  })
