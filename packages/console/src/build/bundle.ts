import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type CodeSplittingNameFunction, type OutputChunk, type Plugin, rolldown } from 'rolldown'
import { type BundledConsole, type ConsoleAsset, contentTypeOf, PAGE_FILES } from '../assets.ts'
import { appPage, signInPage } from './html.ts'
import { noticesOf } from './notices.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Brotli's quality: the highest takes ten times as long for four percent. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

/** Returns the name of a style sheet, which changes with its content. */
const hashedName = (name: string, text: string): string =>
  `${name}-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}.css`

/** Returns a file of the console with its compressed forms. */
const assetOf = async (name: string, text: string): Promise<ConsoleAsset> => {
  const bytes = Buffer.from(text)
  const [brotli, zipped] = await Promise.all([toBrotli(bytes, QUALITY), toGzip(bytes)])
  return { contentType: contentTypeOf(name), bytes, brotli, gzip: zipped }
}

/** A dictionary of React Aria: one file for each of some thirty languages. */
const DICTIONARY = /[\\/]intl[\\/][^\\/]+[\\/]([a-z]{2})-[A-Z]{2}\.mjs$/

/** The console speaks English and French (M8). Without the other dictionaries it is 45 kB smaller. */
const OURS: ReadonlySet<string | undefined> = new Set(['en', 'fr'])

/** Leaves the dictionaries of other languages out of the bundle. */
const onlyOurLanguages: Plugin = {
  name: 'only-our-languages',
  load: (id) => {
    const [, language] = DICTIONARY.exec(id) ?? []
    return language === undefined || OURS.has(language) ? null : 'export default {}'
  },
}

const STYLES = join(import.meta.dirname, '../styles')

/** The parts of each style sheet, in order. */
const SHEETS = {
  app: [
    'base',
    'shell',
    'controls',
    'lists',
    'bulk',
    'editor',
    'desk',
    'history',
    'preview',
    'charts',
    'calendar',
    'portfolio',
    'notifications',
    'composer',
    'managers',
    'operations',
    'overlays',
  ],
  'sign-in': ['base', 'sign-in'],
} as const

/** Returns a style sheet of the console without comments and indentation. */
const styleSheet = (name: keyof typeof SHEETS): string =>
  SHEETS[name]
    .map((part) => readFileSync(join(STYLES, `${part}.css`), 'utf8'))
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\n\s*/g, '\n')
    .trim()

/** The part of React Aria that empties its live region with `innerHTML`, which the policy of the pages forbids (M6). */
const ANNOUNCER = /dist[\\/]private[\\/]live-announcer[\\/]LiveAnnouncer\.mjs$/

const EMPTYING = ".innerHTML = ''"

/** Empties the live region of React Aria without HTML. Fails if its code has changed, so that the policy is looked at again. */
const withoutHtml: Plugin = {
  name: 'without-html',
  transform: (code, id) => {
    if (!ANNOUNCER.test(id)) return null
    if (!code.includes(EMPTYING)) throw new Error(`${id} no longer has ${EMPTYING}`)
    return code.replaceAll(EMPTYING, '.replaceChildren()')
  },
}

const SOURCES = join(import.meta.dirname, '..')

/** Returns a chunk and all chunks that it imports statically: those of the first load. */
const withImports = (entry: string, chunks: ReadonlyArray<OutputChunk>): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) visit(next)
  }
  visit(entry)
  return [...seen]
}

/**
 * Returns the code of a chunk with an import of each chunk that its imports need. Otherwise a page that is opened waits for a round trip for each
 * level of imports. The names in it change with those of the imports, so its own name still stands for its content.
 */
const withFlatImports = (
  { fileName, code, imports, isEntry }: OutputChunk,
  chunks: ReadonlyArray<OutputChunk>,
): string => {
  if (isEntry) return code
  const further = withImports(fileName, chunks).filter((name) => name !== fileName && !imports.includes(name))
  return [code, ...further.map((name) => `import"./${name}";`)].join('\n')
}

const ENTRIES = { app: join(SOURCES, 'app/main.tsx'), 'sign-in': join(SOURCES, 'sign-in/main.ts') }

/** The script of the many small modules that pages share: browsers load six files at a time, so each further one may cost a round trip. */
const SHARED = 'shared'

/** Returns a function that puts modules into the shared script, unless the entry of the app imports them itself. */
const sharedName = (): CodeSplittingNameFunction => {
  const first = new Set<string>()
  return (id, context) => {
    if (first.size === 0) {
      first.add(ENTRIES.app)
      for (const next of first)
        for (const found of context.getModuleInfo(next)?.importedIds ?? []) first.add(found)
    }
    return first.has(id) ? null : SHARED
  }
}

const bundleScripts = async (): Promise<ReadonlyArray<OutputChunk>> => {
  const bundle = await rolldown({
    input: ENTRIES,
    preserveEntrySignatures: false,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: { runtime: 'automatic' } },
    plugins: [onlyOurLanguages, withoutHtml],
  })
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: false, annotation: false, jsdoc: false },
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ debugName: SHARED, name: sharedName(), minShareCount: 6 }],
    },
  })
  await bundle.close()
  return output.filter((file) => file.type === 'chunk')
}

/** Bundles the scripts and style sheets of the console, compresses them, and writes its two pages. */
export const bundleConsole = async (): Promise<BundledConsole> => {
  const chunks = await bundleScripts()
  const sheets = { app: styleSheet('app'), signIn: styleSheet('sign-in') }
  const [appStyle, signInStyle] = [hashedName('app', sheets.app), hashedName('sign-in', sheets.signIn)]
  const texts: ReadonlyArray<readonly [name: string, text: string]> = [
    ...chunks.map((chunk) => [chunk.fileName, withFlatImports(chunk, chunks)] as const),
    [appStyle, sheets.app],
    [signInStyle, sheets.signIn],
  ]
  const scriptsOf = (name: string) =>
    withImports(chunks.find((chunk) => chunk.isEntry && chunk.name === name)?.fileName ?? '', chunks)
  const shared = chunks.filter(({ name }) => name === SHARED).map(({ fileName }) => fileName)
  const files = await Promise.all(
    texts.map(async ([name, text]) => [name, await assetOf(name, text)] as const),
  )
  return {
    pages: {
      app: appPage([...scriptsOf('app'), ...shared], appStyle),
      signIn: signInPage(scriptsOf('sign-in'), signInStyle),
    },
    files: new Map(files),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  }
}

/** Builds the console into a folder, from which `readConsole` reads it. Replaces the folder. Returns the paths of the bundled modules. */
export const writeConsole = async (folder: string): Promise<ReadonlyArray<string>> => {
  const { pages, files, modules } = await bundleConsole()
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await Promise.all([
    writeFile(join(folder, PAGE_FILES.app), pages.app),
    writeFile(join(folder, PAGE_FILES.signIn), pages.signIn),
    ...[...files].flatMap(([name, { bytes, brotli, gzip }]) => [
      writeFile(join(folder, name), bytes),
      writeFile(join(folder, `${name}.br`), brotli),
      writeFile(join(folder, `${name}.gz`), gzip),
    ]),
  ])
  return modules
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, '../..')
  const modules = await writeConsole(join(folder, 'assets'))
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES'), noticesOf('The console', modules))
}
