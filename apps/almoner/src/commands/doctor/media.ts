import { resolve } from 'node:path'
import {
  makeCountOrphans,
  makeMatchStorage,
  type SweepPorts,
  type SweepRefusal,
  sweepRefusal,
} from '@almoner/domain/library'
import * as O from 'fp-ts/lib/Option.js'
import { FOLDER_SERVING } from '../../composition/media.ts'
import { nodePorts } from '../../composition/ports.ts'
import type { Service } from '../../composition/service.ts'
import { CommandFailed, orFail } from '../../failure.ts'
import { SWEEP_REFUSALS } from '../../jobs/sweep-text.ts'
import { exists, isUsableFolder, willBeMade } from './files.ts'
import { type Check, type Found, fault, ok } from './finding.ts'

const folderFinding = async (path: string): Promise<Found> => {
  const folder = resolve(path)
  if (!(await exists(folder))) return willBeMade('the folder of images', folder)
  return (await isUsableFolder(folder))
    ? ok(`this user may write ${folder}`)
    : fault(`images cannot be stored in ${folder}`, 'make it a folder that this user may read and write')
}

const FIX_BUCKET =
  'see that bucket, region, endpoint and the AWS credentials are right, and that they allow s3:ListBucket on it'

/** Opening a bucket asks it for one image, and creates nothing. */
const bucketFinding = async (service: Service): Promise<Found> => {
  try {
    await service.media()
    return ok('the bucket of images answers and lets us list them')
  } catch (cause) {
    if (!(cause instanceof CommandFailed)) throw cause
    return fault(cause.message, FIX_BUCKET)
  }
}

/** Checks that images can be stored. */
export const mediaCheck: Check = {
  name: 'media',
  look: async ({ settings: { media, mediaServe }, service }) => {
    if (media.kind === 's3') return [await bucketFinding(service)]
    const found = await folderFinding(media.path)
    return mediaServe.kind === 'proxy' ? [found] : [found, fault(FOLDER_SERVING, 'unset it, or use a bucket')]
  },
}

/** Returns why the next sweep would stop, without changing anything (D6). */
const refusalOf = async (ports: SweepPorts): Promise<O.Option<SweepRefusal>> => {
  const toError = ({ cause }: { readonly cause: unknown }) =>
    cause instanceof Error ? cause : new Error(String(cause))
  const match = await orFail(makeMatchStorage(ports)(), toError)
  return match === 'other'
    ? O.some('other-storage')
    : sweepRefusal(await orFail(makeCountOrphans(ports)(), toError))
}

/** Checks that the image storage is this database's and that no brake stops the sweep. Other checks tell what cannot be opened. */
export const sweepCheck: Check = {
  name: 'images',
  look: async ({ settings: { media }, service, database }) => {
    if (database === undefined) return []
    if (media.kind === 'folder' && !(await exists(media.path))) return []
    const storage = await service.media().catch(() => undefined)
    if (storage === undefined) return []
    const refusal = await refusalOf({ ...nodePorts(database.clock), ...database.store, ...storage })
    if (O.isNone(refusal)) return [ok('database and image storage belong together')]
    const { why, fix } = SWEEP_REFUSALS[refusal.value]
    return [fault(`unused images are not deleted: ${why}`, fix)]
  },
}
