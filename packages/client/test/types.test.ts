import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { bundleForBrowsers } from './support/bundle.ts'
import { makeTypes } from './support/types.ts'

const HERE = join(import.meta.dirname, '..')

t.test('I3, M7: the types match the documents; pnpm client:types regenerates them', async (t) => {
  for (const [file, text] of await makeTypes()) t.ok(text === readFileSync(file, 'utf8'), file)
})

t.test('the client is small, runs in browsers, and uses nothing of Node', async (t) => {
  const { chunk, complaints } = await bundleForBrowsers(join(HERE, 'src/index.ts'))
  t.same(complaints, [])
  const { code, imports, exports } = chunk
  t.same(imports, [])
  t.same(exports.toSorted(), [
    'ApiError',
    'TokenError',
    'createClient',
    'createSync',
    'memoryStore',
    'toUpdate',
  ])
  t.notMatch(code, /\bBuffer\b|\brequire\b|node:/)
})

/** The compressed size of a script with some exports of the client, in bytes. */
const sizeOf = async (t: Test, ...exported: ReadonlyArray<readonly [name: string, script: string]>) => {
  const lines = exported.map(([name, script]) => `export { ${name} } from '${join(HERE, 'src', script)}'`)
  const { chunk, complaints } = await bundleForBrowsers(
    join(t.testdir({ 'app.ts': lines.join('\n') }), 'app.ts'),
  )
  t.same(complaints, [])
  t.notMatch(chunk.code, /node:/)
  return gzipSync(chunk.code).length
}

t.test('an app with a copy in IndexedDB needs at most 6 kB, compressed, without one 3.2', async (t) => {
  const client = ['createClient', 'index.ts'] as const
  const size = await sizeOf(t, client)
  t.ok(size <= 3_200, `${size} bytes`)
  const copy = ['createSync', 'index.ts'] as const
  const both = await sizeOf(t, client, copy, ['indexedDbStore', 'indexed-db.ts'])
  t.ok(both <= 6_000, `${both} bytes`)
})

t.test('the README shows the current example', async (t) => {
  const example = readFileSync(join(HERE, 'test/example.ts'), 'utf8').trimEnd()
  t.ok(readFileSync(join(HERE, 'README.md'), 'utf8').includes(`\`\`\`ts\n${example}\n\`\`\``))
})
