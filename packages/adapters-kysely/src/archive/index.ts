/**
 * Archives: one tar file that holds a service, with digests of all that is in it.
 * @module @almoner/adapters-kysely/archive
 */

export { type Archive, bytesOf, type Entry, withArchive } from './archive-reader.ts'
export { type ArchiveWriter, writeArchive, writeNewFile } from './archive-writer.ts'
export {
  ArchiveError,
  type ArchiveRefused,
  ArchiveStopped,
  aboutArchive,
  type ErrorReport,
  makeErrorReport,
  orThrow,
  refused,
} from './errors.ts'
export { type ExportSource, exportArchive, type WriteOptions, type WrittenArchive } from './export.ts'
export { DATABASE, END, imageName, imageOfName, MANIFEST, MISSING } from './format.ts'
export { addImage, type ImageStores, storeImages, untilSettled } from './images.ts'
export { type ImportOptions, type ImportTarget, importArchive, notEmptyText } from './import.ts'
export { type Kind, type Manifest, manifestBytes, readManifest } from './manifest.ts'
export { missingBytes, readMissing } from './missing-images.ts'
export type { Measure, OnProgress } from './progress.ts'
export { type VerifiedEntry, verifiedEntries } from './verify-entries.ts'
export { type ExportSummary, verifyExport } from './verify-export.ts'
