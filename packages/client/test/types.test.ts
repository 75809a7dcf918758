import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
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
  t.same(exports.toSorted(), ['ApiError', 'TokenError', 'createClient', 'toUpdate'])
  t.ok(code.length < 16_384, `${code.length} characters`)
  t.notMatch(code, /\bBuffer\b|\brequire\b|node:/)
})

t.test('the README shows the current example', async (t) => {
  const example = readFileSync(join(HERE, 'test/example.ts'), 'utf8').trimEnd()
  t.ok(readFileSync(join(HERE, 'README.md'), 'utf8').includes(`\`\`\`ts\n${example}\n\`\`\``))
})
