import type { Holding, LoadRefused } from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, failed, notAvailable } from '../../failure.ts'
import { progressOn, type Terminal } from '../../terminal.ts'
import type { Printout, Work } from '../command.ts'
import { ArchiveFault } from './archive-fault.ts'
import { type ArchiveReader, openArchive } from './archive-reader.ts'
import { arrivalsIn } from './arrivals.ts'
import { type Faults, MOST_FAULTS, makeFaults, unlessFaulty } from './faults.ts'
import { makeMeter } from './meter.ts'
import { missingText } from './missing-images.ts'
import { aboutFile, type Belongings, onHouse } from './on-house.ts'
import { storeImages } from './store-images.ts'
import { type Survey, verifyExport } from './verify-export.ts'

interface Options {
  readonly dryRun?: true
}

/** What an import works on. */
interface Task {
  readonly belongings: Belongings
  readonly reader: ArchiveReader
  readonly faults: Faults
  readonly isTrial: boolean
  readonly file: string
  readonly terminal: Terminal
}

/** What a service holds already, as a sentence. */
export const holdingsText = (holdings: ReadonlyArray<Holding>): string =>
  `the service is not empty: it holds ${holdings.map(({ table, rows }) => `${rows} of ${table}`).join(', ')}`

/** What is wrong with the archive alone. It may be that nothing can be read any more: then that is the last fault. */
const verify = ({ reader, faults, terminal }: Task): Promise<Survey> => {
  const meter = makeMeter(terminal, { what: 'checking', units: 'bytes', total: reader.size })
  return verifyExport(reader, faults, meter.at).catch((cause: unknown) => {
    if (!(cause instanceof ArchiveFault)) throw cause
    faults.add(cause.message)
    return { rows: 0, images: 0, missing: [] }
  })
}

const refused =
  ({ faults }: Task) =>
  (why: LoadRefused | Unavailable): TE.TaskEither<Failure, void> => {
    switch (why._tag) {
      case 'Tried':
        return TE.right(undefined)
      case 'NotEmpty':
        return TE.left(failed(holdingsText(why.holdings)))
      case 'Unavailable':
      case 'OutcomeUnknown':
        return TE.left(notAvailable('the database')(why))
      case 'RowsRefused':
        for (const { place, line, message } of why.faults) faults.at(place, line, message)
        return unlessFaulty(faults)
    }
  }

const load = (task: Task, { rows }: Survey): TE.TaskEither<Failure, void> => {
  const { belongings, reader, isTrial, terminal, file } = task
  const meter = makeMeter(terminal, { what: 'loading', units: 'rows', total: rows })
  const { house } = belongings
  return pipe(
    aboutFile(
      file,
      house.load(() => arrivalsIn(reader), { isTrial, most: MOST_FAULTS, told: meter.at }),
    ),
    TE.flatMap(E.match(refused(task), () => TE.right(undefined))),
  )
}

const store = ({ belongings, reader, terminal, file }: Task): TE.TaskEither<Failure, void> => {
  const meter = makeMeter(terminal, { what: 'storing images', units: 'bytes', total: reader.size })
  return aboutFile(file, () => storeImages(reader, belongings.media, meter.at))
}

/** Looks at everything first; then the images, and the rows that show them last and all at once. */
const move = (task: Task): TE.TaskEither<Failure, Survey> =>
  pipe(
    refuseHoldings(task),
    TE.flatMap(() => aboutFile(task.file, () => verify(task))),
    TE.tap(() => unlessFaulty(task.faults)),
    TE.tap((survey) => (task.isTrial || survey.images === 0 ? TE.right(undefined) : store(task))),
    TE.tap((survey) => load(task, survey)),
  )

/** Refuses a service that holds anything; a dry run goes on, to tell everything. */
const refuseHoldings = ({ belongings, faults, isTrial }: Task): TE.TaskEither<Failure, void> =>
  pipe(
    belongings.house.holdings(),
    TE.mapLeft(notAvailable('the database')),
    TE.flatMap((holdings) => {
      if (holdings.length === 0) return TE.right(undefined)
      if (!isTrial) return TE.left(failed(holdingsText(holdings)))
      faults.line(holdingsText(holdings))
      return TE.right(undefined)
    }),
  )

const printout =
  (file: string, isTrial: boolean) =>
  ({ rows, images, missing }: Survey): Printout => ({
    text: [
      isTrial
        ? `${rows} rows and ${images} images could be imported. Nothing was changed.`
        : `${rows} rows and ${images} images imported`,
      ...missingText(missing),
    ].join('\n'),
    json: { file, dryRun: isTrial, rows, images, missing },
  })

/**
 * `import FILE [--dry-run]`: makes an empty service the one that was exported, or names everything that is wrong, and then nothing but
 * images may have come. Cut off, it has left an empty database, and can be done again.
 */
export const importAll =
  (file: string, { dryRun }: Options, terminal: Terminal): Work =>
  (settings) => {
    const isTrial = dryRun === true
    const imported = onHouse((belongings) =>
      pipe(
        TE.bracket(
          aboutFile(file, () => openArchive(file)),
          (reader) => move({ belongings, reader, faults: makeFaults(file), isTrial, file, terminal }),
          (reader) => aboutFile(file, reader.close),
        ),
        TE.map(printout(file, isTrial)),
      ),
    )(settings)
    return async () => {
      const done = await imported()
      progressOn(terminal)('')
      return done
    }
  }
