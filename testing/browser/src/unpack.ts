import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { extract } from 'tar-fs'

const PACKAGE = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..')
const CACHE = join(import.meta.dirname, '../node_modules/.cache/chromium')

/** The archives of the package, and where each is unpacked in a folder. */
const PARTS: Readonly<Record<string, (folder: string) => NodeJS.WritableStream>> = {
  'chromium.br': (folder) => createWriteStream(join(folder, 'chromium'), { mode: 0o755 }),
  'fonts.tar.br': (folder) => extract(join(folder, 'fonts')),
  'al2023.tar.br': (folder) => extract(join(folder, 'libraries')),
}

/** Renames a complete folder into place. A test file that unpacked at the same time may have been first. */
const moveIntoPlace = (draft: string, folder: string): void => {
  try {
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true })
    if (!existsSync(folder)) throw error
  }
}

/**
 * Unpacks Chromium of `@sparticuz/chromium` into a cache folder, once per version, and returns that folder: `chromium`, `libraries/lib`,
 * `fonts/fonts`. The package's own `executablePath()` would use a fixed path below the temporary folder, without a version.
 */
export const unpackChromium = async (): Promise<string> => {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  const folder = join(CACHE, String(version))
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  const unpack = ([name, into]: readonly [string, (folder: string) => NodeJS.WritableStream]) =>
    pipeline(createReadStream(join(PACKAGE, 'bin', name)), createBrotliDecompress(), into(draft))
  await Promise.all(Object.entries(PARTS).map(unpack))
  moveIntoPlace(draft, folder)
  return folder
}
