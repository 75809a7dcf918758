import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Unavailable, unavailable } from '../ports/unavailable.ts'

/** The one place where what a port's iteration throws becomes a value. */
export const attempt: <A>(work: () => Promise<A>) => TE.TaskEither<Unavailable, A> = (work) =>
  TE.tryCatch(work, unavailable)
