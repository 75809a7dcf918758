import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import t from 'tap'
import { makeTypes, TYPES_FILE } from './support/types.ts'

const HERE = join(import.meta.dirname, '..')

t.test('I3: the types are those of the document; pnpm client:types writes them anew', async (t) => {
  t.ok((await makeTypes()) === readFileSync(TYPES_FILE, 'utf8'))
})

t.test('the client needs no types of Node', async (t) => {
  const tsc = join(HERE, '../../node_modules/.bin/tsc')
  t.doesNotThrow(() => execFileSync(tsc, ['--noEmit', '-p', HERE], { encoding: 'utf8' }))
})

t.test('the client is built for browsers, small, and with nothing of Node', async (t) => {
  const missing: Array<string> = []
  const bundle = await rolldown({
    input: join(HERE, 'src/index.ts'),
    platform: 'browser',
    onLog: (_, { message }) => missing.push(message),
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  t.same(missing, [])
  const [{ code, imports, exports }, ...more] = output
  t.same([more.length, imports], [0, []], 'in one piece')
  t.same(exports.toSorted(), ['ApiError', 'TokenError', 'createClient'])
  t.ok(code.length < 16_384, `${code.length} characters`)
  t.notMatch(code, /\bBuffer\b|\brequire\b|node:/)
})
