import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { ConsoleAsset } from '../assets.ts'
import { contentTypeOf } from '../files.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Brotli's quality: the highest takes ten times as long for four percent. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Returns the name of a style sheet, which changes with its content. */
export const hashedName = (name: string, text: string): string =>
  `${name}-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}.css`

/** Returns a file of the console with its compressed forms. */
export const assetOf = async (name: string, text: string): Promise<ConsoleAsset> => {
  const bytes = Buffer.from(text)
  const [brotli, zipped] = await Promise.all([toBrotli(bytes, QUALITY), toGzip(bytes)])
  return { contentType: contentTypeOf(name), bytes, brotli, gzip: zipped }
}
