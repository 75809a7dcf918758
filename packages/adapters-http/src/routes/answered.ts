import type { Receipt } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Answer } from '../responses/route-response.ts'
import type { Asking } from '../route.ts'

/** Runs a write and answers its result. Where the request has a key, the write stores the same answer (I4). */
export const answered = <L, A>(
  { receipt }: Pick<Asking, 'receipt'>,
  answer: (result: A) => Answer,
  write: (receipt: Receipt<A> | undefined) => TE.TaskEither<L, A>,
): TE.TaskEither<L, Answer> => pipe(write(receipt(answer)), TE.map(answer))
