import type { Unavailable } from '@almoner/domain'
import type { ActedBy } from '@almoner/domain/access'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TransferStore } from '../transfer/load.ts'
import type { RowReader, TableRows } from '../transfer/rows.ts'
import { type Archive, withArchive } from './archive.ts'
import {
  type ArchiveRefused,
  ArchiveStopped,
  aboutArchive,
  type ErrorReport,
  MAX_ERRORS,
  makeErrorReport,
  orThrow,
} from './errors.ts'
import { type ImageStores, type OnProgress, storeImages } from './export.ts'
import { batchesOf, type ExportSummary, verifyExport } from './verify.ts'

/** What an import fills. */
export interface ImportTarget extends ImageStores {
  /** Has the current schema. */
  readonly store: TransferStore
}

/** How an archive is imported. */
export interface ImportOptions {
  readonly file: string
  /** Reports everything that is wrong, and changes nothing. */
  readonly dryRun: boolean
  /** Under whose name the import is recorded (K1). */
  readonly by: ActedBy
  readonly onProgress: OnProgress
}

/** Says what a service already holds. */
export const notEmptyText = (existing: ReadonlyArray<TableRows>): string =>
  `the service is not empty: it holds ${existing.map(({ table, rows }) => `${rows} of ${table}`).join(', ')}`

const loadRows = async (
  { store }: ImportTarget,
  archive: Archive,
  report: ErrorReport,
  readRow: RowReader,
  { dryRun, by, onProgress, total }: ImportOptions & { readonly total: number },
): Promise<void> => {
  const loaded = await store.load(() => batchesOf(archive, readRow), {
    dryRun,
    by,
    maxErrors: MAX_ERRORS,
    onProgress: (done) => onProgress('loading', { done, total, units: 'rows' }),
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
      throw new ArchiveStopped(refused)
  }
  report.throwIfAny()
}

/** Verifies everything first; then stores the images, and at last the rows that show them, all at once. */
const importFrom = async (
  target: ImportTarget,
  archive: Archive,
  options: ImportOptions,
): Promise<ExportSummary> => {
  const { dryRun, onProgress } = options
  const report = makeErrorReport(archive.file)
  const existing = await orThrow(target.store.existingRows())
  if (existing.length > 0) report.line(notEmptyText(existing))
  // A dry run goes on, to report everything.
  if (!dryRun) report.throwIfAny()
  const readRow = await orThrow(target.store.rowReader())
  const summary = await report.complete(verifyExport(archive, readRow, report, onProgress))
  if (!dryRun && summary.images > 0) await storeImages(archive, target, onProgress)
  await loadRows(target, archive, report, readRow, { ...options, total: summary.rows })
  return summary
}

/** Imports an export into an empty service, all or nothing, or reports everything that is wrong with it. It is safe to rerun. */
export const importArchive = (
  target: ImportTarget,
  options: ImportOptions,
): TE.TaskEither<ArchiveRefused | Unavailable, ExportSummary> =>
  aboutArchive(options.file, () =>
    withArchive(options.file, (archive) => importFrom(target, archive, options)),
  )
