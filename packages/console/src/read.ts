import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConsoleAsset, ConsoleAssets } from './assets.ts'
import { contentTypeOf, PAGE_FILES } from './files.ts'

const HTML = /\.html$/
const COMPRESSED = /\.(?:br|gz)$/

/**
 * Reads the built console from a folder, which `writeConsole` has written. The default folder is that of the published package. Rejects if
 * a file is missing.
 */
export const readConsole = async (
  folder: string = join(import.meta.dirname, '../assets'),
): Promise<ConsoleAssets> => {
  const readAsset = async (name: string): Promise<readonly [string, ConsoleAsset]> => {
    const [bytes, brotli, gzip] = await Promise.all(
      ['', '.br', '.gz'].map((form) => readFile(join(folder, `${name}${form}`))),
    )
    if (bytes === undefined || brotli === undefined || gzip === undefined) throw new TypeError(name)
    return [name, { contentType: contentTypeOf(name), bytes, brotli, gzip }]
  }
  const names = (await readdir(folder)).filter((name) => !HTML.test(name) && !COMPRESSED.test(name))
  const [app, signIn, ...files] = await Promise.all([
    readFile(join(folder, PAGE_FILES.app), 'utf8'),
    readFile(join(folder, PAGE_FILES.signIn), 'utf8'),
    ...names.map(readAsset),
  ])
  return { pages: { app, signIn }, files: new Map(files) }
}
