// Builds the server into a few files of JavaScript: pnpm build
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { noticesOf, writeConsole } from '@almoner/console'
import { rolldown } from 'rolldown'
import { builtinsAsAsked } from './builtins.ts'

const HERE = join(import.meta.dirname, '..')
/** Where the launcher beside it finds the built server. */
export const DIST = join(HERE, 'dist')
const PACKAGES = join(HERE, '../../packages')
const SERVER = join(HERE, '../../apps/almoner')

/** The form that node-schedule loads: settings of another copy would not reach it. */
const LUXON = createRequire(join(PACKAGES, 'adapters-node/package.json')).resolve('luxon')

/** Packages that are not bundled: they have compiled code or read files beside themselves. */
const { dependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))

/**
 * Builds the server into a folder. Code that is loaded on demand stays in separate files, and names are not minified, so that stack traces
 * are readable.
 * @param options `sourcemap`: also writes source maps, by which profiles find the source files
 */
export const build = async (
  folder: string,
  { sourcemap = false }: { readonly sourcemap?: boolean } = {},
): Promise<void> => {
  const bundle = await rolldown({
    input: {
      main: join(SERVER, 'src/main.ts'),
      // Each worker thread needs a separate file.
      encryption: join(PACKAGES, 'adapters-push/src/webpush/encryption.ts'),
      'database-thread': join(PACKAGES, 'adapters-sqlite/src/threads/database-thread.ts'),
      'thread/thread': join(PACKAGES, 'adapters-node/src/files/thread/thread.ts'),
    },
    platform: 'node',
    // The console's build is of no use in a bundle, which has the built pages.
    external: [...Object.keys(dependencies), 'rolldown'],
    resolve: {
      // Where a package has modules too: its other form may ask for its files by names that only Node understands.
      mainFields: ['module', 'main'],
      // The ES modules, which can be tree-shaken; with the other form, each importing file would get a copy of its names.
      alias: { 'fp-ts/lib': 'fp-ts/es6', luxon: LUXON },
    },
    plugins: [builtinsAsAsked],
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap,
    cleanDir: true,
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups: [{ name: 'builtins', test: /^\0builtin:/ }] },
    // A file with any other character would be held in memory as two bytes for each: licences are in THIRD-PARTY-NOTICES, not in comments.
    charset: 'ascii',
    comments: { legal: false, annotation: false, jsdoc: false },
  })
  await bundle.close()
  const modules = output
    .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    .filter((id) => !id.startsWith('\0'))
  const pages = await writeConsole(join(folder, 'console'))
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), noticesOf('The server', [...modules, ...pages]))
  cpSync(join(SERVER, 'demo'), join(folder, 'demo'), { recursive: true })
}

if (import.meta.main) await build(DIST)
