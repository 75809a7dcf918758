import * as E from 'fp-ts/lib/Either.js'
import { FOLDER_SERVING, mediaFolderAt, openMedia } from '../../composition/media.ts'
import type { Settings } from '../../config/definitions.ts'
import { type Check, type Found, fault, ok } from './finding.ts'
import { isThere, isUsableFolder, willBeMade } from './places.ts'

const lookAtFolder = async (path: string): Promise<Found> => {
  const folder = mediaFolderAt(path)
  if (!(await isThere(folder))) return willBeMade('the folder of images', folder)
  return (await isUsableFolder(folder))
    ? ok(`this user may write ${folder}`)
    : fault(`images cannot be stored in ${folder}`, 'make it a folder that this user may read and write')
}

const MEND_BUCKET =
  'see that bucket, region, endpoint and the AWS credentials are right, and that they allow s3:ListBucket on it'

/** Opening a bucket asks it for one image, and makes nothing. */
const lookAtBucket = async (settings: Settings): Promise<Found> => {
  const opened = await openMedia(settings)()
  if (E.isLeft(opened)) return fault(opened.left.lines.join('; '), MEND_BUCKET)
  opened.right.close()
  return ok('the bucket of images answers and lets us list them')
}

/** Whether images can be stored. */
export const mediaCheck: Check = {
  name: 'media',
  look: async (settings) => {
    const { media, mediaServe } = settings
    if (media.kind === 's3') return [await lookAtBucket(settings)]
    const found = await lookAtFolder(media.path)
    return mediaServe.kind === 'proxy' ? [found] : [found, fault(FOLDER_SERVING, 'unset it, or use a bucket')]
  },
}
