import type { Unavailable } from '@almoner/domain'
import { unavailable } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** The one place where what sharp and the file system throw becomes a value; the caller says what else it may mean. */
export const attempt: <A>(work: () => Promise<A>) => TE.TaskEither<Unavailable, A> = (work) =>
  TE.tryCatch(work, unavailable)
