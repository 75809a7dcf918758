import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { sweep } from './sweep.ts'

/** Deletes the files that no item knows, left by a crash or a failed deletion (D5). Told to stop, it ends early. Gives how many went. */
export const makeSweepOrphans =
  (ports: Pick<Ports, 'clock' | 'knownImages' | 'mediaStore'>) =>
  (isStopping: () => boolean = () => false): TE.TaskEither<Unavailable, number> =>
    sweep(
      {
        files: () => ports.mediaStore.files(),
        orphansAmong: (files) =>
          pipe(
            ports.knownImages.among(files.map(({ name }) => name)),
            TE.map((known) => files.filter(({ name }) => !known.has(name))),
          ),
        remove: ({ name }) => ports.mediaStore.remove(name),
      },
      ports.clock.now(),
      isStopping,
    )
