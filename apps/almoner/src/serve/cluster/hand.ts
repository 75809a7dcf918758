import type { Worker } from 'node:cluster'
import { type Hears, holdLine, type Line } from './line.ts'
import type { PrimaryTalk, WorkerTalk } from './talk.ts'

/** A worker as the primary sees it. */
export interface Hand {
  readonly number: number
  readonly pid: number | undefined
  readonly line: Line<PrimaryTalk>
  /** Resolves when it takes requests; never, if it ends before. */
  readonly ready: Promise<void>
  /** Resolves when it has ended, with what it ended by: a signal or an exit code. */
  readonly ended: Promise<string>
  readonly kill: () => void
}

/** What a worker may want of the primary, who knows which one asks. */
export type Heard = (hand: () => Hand) => {
  readonly tells: Omit<Hears<WorkerTalk>['tells'], 'ready'>
  readonly asks: Hears<WorkerTalk>['asks']
}

/** A process that has just been forked, and the line to it. */
export const handOf = (worker: Worker, number: number, heard: Heard): Hand => {
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<string>()
  // What it said last may come after its end is known: it has ended when nothing more can come.
  const silent = new Promise((resolve) => worker.once('disconnect', resolve))
  worker.once('exit', (code, signal) => void silent.then(() => end(signal ?? `exit code ${code}`)))
  worker.on('error', () => {
    if (worker.process.pid === undefined) end('not started')
  })
  const { tells, asks } = heard(() => hand)
  const line = holdLine<PrimaryTalk, WorkerTalk>(
    {
      send: (message, sent) => void worker.send(message, sent),
      receive: (listener) => void worker.on('message', listener),
    },
    { tells: { ...tells, ready: () => resolve() }, asks },
  )
  const kill = () => void worker.process.kill('SIGKILL')
  const hand: Hand = { number, pid: worker.process.pid, line, ready, ended, kill }
  return hand
}
