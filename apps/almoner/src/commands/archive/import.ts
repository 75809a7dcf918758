import type { RowReader, TableRows, TransferStore } from '@almoner/adapters-kysely'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Printout, Work } from '../../cli/command.ts'
import { notAvailable } from '../../cli/failure.ts'
import type { Terminal } from '../../cli/terminal.ts'
import type { Media } from '../../composition/media.ts'
import { databaseFailure } from '../../composition/store.ts'
import { type Archive, withArchive } from './archive-reader.ts'
import { type ErrorReport, MAX_ERRORS, makeErrorReport, orFail } from './errors.ts'
import { storeImages } from './images.ts'
import { withMissing } from './missing-images.ts'
import { makeProgress } from './progress.ts'
import { batchesOf } from './rows.ts'
import { verifyExport } from './verify-export.ts'
import { withService } from './with-service.ts'

/** What an import works with. */
interface Import {
  readonly store: TransferStore
  readonly media: Media
  readonly archive: Archive
  readonly report: ErrorReport
  readonly dryRun: boolean
  readonly terminal: Terminal
}

/** Says what a service holds already. */
export const notEmptyText = (existing: ReadonlyArray<TableRows>): string =>
  `the service is not empty: it holds ${existing.map(({ table, rows }) => `${rows} of ${table}`).join(', ')}`

/** Rejects a service that holds anything; a dry run goes on, to report everything. */
const rejectExisting = async ({ store, report, dryRun }: Import): Promise<void> => {
  const existing = await orFail(store.existingRows(), notAvailable('the database'))
  if (existing.length === 0) return
  report.line(notEmptyText(existing))
  if (!dryRun) report.throwIfAny()
}

const loadRows = async (
  { store, archive, report, dryRun, terminal }: Import,
  readRow: RowReader,
  total: number,
): Promise<void> => {
  const progress = makeProgress(terminal, 'loading', 'rows')
  const loaded = await store.load(() => batchesOf(archive, readRow), {
    dryRun,
    maxErrors: MAX_ERRORS,
    onProgress: (rows) => progress(rows, total),
  })()
  if (E.isRight(loaded)) return
  const refused = loaded.left
  switch (refused._tag) {
    case 'DryRunPassed':
      return
    case 'NotEmpty':
      report.line(notEmptyText(refused.existing))
      break
    case 'RowsRefused':
      for (const { entry, line, message } of refused.errors) report.inside(`${entry}:${line}: ${message}`)
      break
    default:
      await orFail(TE.left(refused), notAvailable('the database'))
  }
  report.throwIfAny()
}

/** Verifies everything first; then stores the images, and at last the rows that show them, all at once. */
const importFrom = async (task: Import): Promise<Printout> => {
  const { store, media, archive, report, dryRun, terminal } = task
  await rejectExisting(task)
  const readRow = await orFail(store.rowReader(), notAvailable('the database'))
  const checking = makeProgress(terminal, 'checking', 'bytes')
  const { rows, images, missing } = await report.complete(verifyExport(archive, readRow, report, checking))
  if (!dryRun && images > 0)
    await storeImages(archive, media, makeProgress(terminal, 'storing images', 'bytes'))
  await loadRows(task, readRow, rows)
  const text = dryRun
    ? `${rows} rows and ${images} images could be imported. Nothing was changed.`
    : `${rows} rows and ${images} images imported`
  return { text: withMissing(text, missing), json: { file: archive.file, dryRun, rows, images, missing } }
}

/**
 * `import FILE [--dry-run]`: imports an export into an empty service, or reports everything that is wrong with it and changes nothing. An
 * interruption leaves an empty database, and it is safe to rerun.
 */
export const importAll = (file: string, options: { readonly dryRun?: true }, terminal: Terminal): Work =>
  withService({ file, terminal }, async ({ migrator, transfer: store }, media) => {
    await orFail(migrator.ensureCurrent(), databaseFailure)
    const [report, dryRun] = [makeErrorReport(file), options.dryRun === true]
    return withArchive(file, (archive) => importFrom({ store, media, archive, report, dryRun, terminal }))
  })
