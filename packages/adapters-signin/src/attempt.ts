import * as TE from 'fp-ts/lib/TaskEither.js'

/** Makes a task of work that may reject. `failure` maps the cause. */
export const attempt = <L, A>(work: () => Promise<A>, failure: (cause: unknown) => L): TE.TaskEither<L, A> =>
  TE.tryCatch(work, failure)
