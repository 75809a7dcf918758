import { type Unavailable, unavailable } from '@almoner/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** What a file keeps from being done is Unavailable. */
export const attempt = <A>(work: () => Promise<A>): TE.TaskEither<Unavailable, A> =>
  TE.tryCatch(work, unavailable)
