import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file that pages of the console load, in every form that the server sends. */
export interface ConsoleAsset {
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
}

/** The built console: its two HTML pages, and its files by name. A file's name changes with its content, so it can be cached for ever. */
export interface ConsoleAssets {
  readonly pages: { readonly app: string; readonly signIn: string }
  readonly files: ReadonlyMap<string, ConsoleAsset>
}

/** The console as it was bundled, with the paths of the modules in it, whose licences a distribution names. */
export interface BundledConsole extends ConsoleAssets {
  readonly modules: ReadonlyArray<string>
}

/** The names of the HTML pages in a folder of the built console. */
export const PAGE_FILES = { app: 'app.html', signIn: 'sign-in.html' } as const

/** Returns the media type of a file of the console. */
export const contentTypeOf = (name: string): string =>
  name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8'

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
