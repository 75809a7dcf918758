import { type Unavailable, unavailable } from '@almoner/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import pLimit from 'p-limit'

/** How much costly work is taken on. */
export interface TurnLimits {
  /** Tasks that run side by side. */
  readonly atOnce: number
  /** Tasks that may wait for their turn; one more is turned away. */
  readonly waiting: number
}

/** Runs a task when its turn comes. Unavailable when too many wait already, or when the task rejects. */
export type TakeTurn = <A>(task: () => Promise<A>) => TE.TaskEither<Unavailable, A>

/** First come, first served, within limits: work that costs memory and threads is neither piled up nor queued for ever. */
export const takingTurns = ({ atOnce, waiting }: TurnLimits): TakeTurn => {
  const limit = pLimit(atOnce)
  const isFull = () => limit.activeCount + limit.pendingCount >= atOnce + waiting
  return (task) =>
    TE.tryCatch(async () => {
      if (isFull()) throw new Error('too many secrets are being hashed')
      return limit(task)
    }, unavailable)
}
