import { resolve } from 'node:path'
import type { SweepRefusal } from '@almoner/domain/media'
import { checkImages, type FindingCode } from '@almoner/domain/operations'
import { FOLDER_SERVING, type Media, probeFolder } from '../../composition/media.ts'
import { nodePorts } from '../../composition/ports.ts'
import type { Service } from '../../composition/service.ts'
import { CommandFailed, messageOf, orFail } from '../../failure.ts'
import { SWEEP_REFUSALS } from '../../jobs/sweep-text.ts'
import { exists, willBeMade } from './files.ts'
import { type Check, type Examination, type Found, fault, ok } from './finding.ts'

const folderFinding = async (path: string): Promise<Found> => {
  const folder = resolve(path)
  if (!(await exists(folder))) return willBeMade('the folder of images', folder)
  try {
    await probeFolder(folder)
    return ok(`a file could be written, read, listed and deleted in ${folder}`)
  } catch (cause) {
    return fault(
      'media-folder',
      `images cannot be stored in ${folder}: ${messageOf(cause)}`,
      'make it a folder that this user may read and write',
      { folder },
    )
  }
}

const FIX_BUCKET =
  'see that bucket, region, endpoint and the AWS credentials are right, and that they allow s3:ListBucket on it, and s3:GetObject, s3:PutObject and s3:DeleteObject below the prefix'

/** Tries a bucket out. */
const bucketFinding = async (service: Service): Promise<Found> => {
  try {
    const { probe } = await service.media()
    await probe()
    return ok('an image could be stored, read, listed and deleted in the bucket')
  } catch (cause) {
    if (!(cause instanceof CommandFailed)) throw cause
    return fault('media-bucket', cause.message, FIX_BUCKET)
  }
}

/** Checks that images can be stored. */
export const mediaCheck: Check = {
  name: 'media',
  asks: 'the image storage',
  look: async ({ settings: { media, mediaServe }, service }) => {
    if (media.kind === 's3') return [await bucketFinding(service)]
    const found = await folderFinding(media.path)
    return mediaServe.kind === 'proxy'
      ? [found]
      : [found, fault('media-serving', FOLDER_SERVING, 'unset it, or use a bucket')]
  },
}

const OTHER = `unused images are not deleted: ${SWEEP_REFUSALS['other-storage'].why}`

/** Adopting a storage is right only where its images are known: else it would take the storage from its own database (D6). */
const ADVICE: Readonly<Partial<Record<FindingCode, readonly [what: string, fix: string]>>> = {
  'images-other-storage': [
    OTHER,
    'see that no other service uses this storage; then run almoner media adopt, and almoner media sweep',
  ],
  'images-unknown': [
    `${OTHER}, and this database references none of the images in it`,
    'let ALMONER_DATABASE name the database of these images, or ALMONER_MEDIA the storage of this database',
  ],
}

/** Opens the image storage, if that creates nothing. Another check reports why it cannot be opened. */
export const openStorage = async ({
  settings: { media },
  service,
}: Pick<Examination, 'settings' | 'service'>): Promise<Media | undefined> => {
  if (media.kind === 'folder' && !(await exists(media.path))) return undefined
  return service.media().catch(() => undefined)
}

const toError = ({ cause }: { readonly cause: unknown }) =>
  cause instanceof Error ? cause : new Error(String(cause))

/** Checks that the image storage is this database's and that no brake stops the sweep. Other checks tell what cannot be opened. */
export const sweepCheck: Check = {
  name: 'images',
  asks: 'the image storage, or the database,',
  look: async (examination) => {
    const { database } = examination
    const storage = database === undefined ? undefined : await openStorage(examination)
    if (database === undefined || storage === undefined) return []
    const ports = { ...nodePorts(database.clock), ...database.store, ...storage }
    const found = await orFail(checkImages(ports), toError)
    return found.map(({ level, code }) => {
      if (level === 'ok') return ok('database and image storage belong together')
      const advice = ADVICE[code]
      if (advice !== undefined) return fault(code, ...advice)
      const { why, fix } = SWEEP_REFUSALS[code.replace('images-', '') as SweepRefusal]
      return fault(code, `unused images are not deleted: ${why}`, fix)
    })
  },
}
