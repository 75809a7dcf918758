import { join } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import type { BundledConsole } from '../assets.ts'
import { assetOf, hashedName } from './compress.ts'
import { appPage, signInPage } from './html.ts'
import { onlyOurLanguages } from './languages.ts'
import { styleSheet } from './style-sheet.ts'
import { withoutHtml } from './trusted-types.ts'

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

const bundleScripts = async (): Promise<ReadonlyArray<OutputChunk>> => {
  const bundle = await rolldown({
    input: { app: join(SOURCES, 'app/main.tsx'), 'sign-in': join(SOURCES, 'sign-in/main.ts') },
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
    ...chunks.map(({ fileName, code }) => [fileName, code] as const),
    [appStyle, sheets.app],
    [signInStyle, sheets.signIn],
  ]
  const scriptsOf = (name: string) =>
    withImports(chunks.find((chunk) => chunk.isEntry && chunk.name === name)?.fileName ?? '', chunks)
  const files = await Promise.all(
    texts.map(async ([name, text]) => [name, await assetOf(name, text)] as const),
  )
  return {
    pages: {
      app: appPage(scriptsOf('app'), appStyle),
      signIn: signInPage(scriptsOf('sign-in'), signInStyle),
    },
    files: new Map(files),
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
  }
}
