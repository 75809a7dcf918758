import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { fileStore } from '../src/file-store.ts'
import { memoryStore } from '../src/index.ts'
import {
  entryOf,
  idsIn,
  LASTING_CONTRACT,
  positionAt,
  STORE_CONTRACT,
  stepAt,
} from './support/store-contract.ts'

for (const { name, check } of STORE_CONTRACT) {
  t.test(`in memory: ${name}`, async () => check(memoryStore))
  t.test(`in a file: ${name}`, async (t) => check(() => fileStore(join(t.testdir(), 'copy'))))
}

for (const { name, check } of LASTING_CONTRACT)
  t.test(`in a file: ${name}`, async (t) => {
    const file = join(t.testdir(), 'copy')
    await check(() => fileStore(file))
  })

t.test(
  'a file that was cut at any byte holds the copy of an earlier answer, and goes on from there',
  async (t) => {
    const file = join(t.testdir(), 'copy')
    const store = fileStore(file)
    for (const n of [0, 1, 2]) await store.apply(stepAt(n, { puts: [entryOf(n)] }))
    await store.close()
    const whole = readFileSync(file)
    const seen = new Set<number>()
    const sizes = Array.from({ length: Math.ceil(whole.length / 3) }, (_, n) => 3 * n)
    for (const size of [...sizes, whole.length]) {
      writeFileSync(file, whole.subarray(0, size))
      const cut = fileStore(file)
      const ids = await idsIn(cut)
      const position = await cut.position()
      t.same(position, ids.length === 0 ? undefined : positionAt(ids.length))
      await cut.apply(stepAt(ids.length, { puts: [entryOf(9)] }))
      await cut.close()
      const again = fileStore(file)
      t.same(await idsIn(again), ['library-9', ...ids], 'what is written after a cut is read')
      await again.close()
      seen.add(ids.length)
    }
    t.same([...seen], [0, 1, 2, 3])
  },
)

t.test(
  'a killed process loses nothing that was applied, and its file is written again when it has grown',
  async (t) => {
    const file = join(t.testdir(), 'copy')
    let done = 0
    for (const kill of [5, 600]) {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'support/apply-steps.ts'), file], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      for await (const chunk of child.stdout) {
        done = Number(String(chunk).trim().split('\n').at(-1))
        if (done > kill) child.kill('SIGKILL')
      }
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      const store = fileStore(file)
      const position = await store.position()
      const answers = Number(position?.cursor.split(' ').at(-1))
      t.ok(answers >= done, `${answers} of ${done} answers`)
      t.equal((await store.get('library', `library-${(answers - 1) % 5}`))?.rank, String(answers - 1))
      t.equal((await idsIn(store)).length, Math.min(5, answers))
      await store.close()
    }
    t.ok(done > 600)
    t.ok(statSync(file).size < 550 * 700, 'it holds at most 500 entries that were replaced')
  },
)

t.test('a file of others is left as it is', async (t) => {
  const file = join(t.testdir({ copy: '{"name":"mine"}\n' }), 'copy')
  const store = fileStore(file)
  await t.rejects(store.position(), { message: /holds no copy of this version/ })
  await t.rejects(store.apply(stepAt(0)), { message: /holds no copy/ })
  t.equal(readFileSync(file, 'utf8'), '{"name":"mine"}\n')
})

t.test('a write that fails rejects, and the next use reads the file again', async (t) => {
  const file = join(t.testdir(), 'copy')
  const store = fileStore(file)
  await store.apply(stepAt(0, { puts: [entryOf(1)] }))
  const endless: Record<string, unknown> = {}
  endless['self'] = endless
  await t.rejects(store.apply(stepAt(1, { puts: [{ ...entryOf(2), value: endless as never }] })))
  t.same(await idsIn(store), ['library-1'])
  await store.apply(stepAt(1, { puts: [entryOf(2)] }))
  t.same(await idsIn(store), ['library-2', 'library-1'])
  await store.close()
  const mode = statSync(file).mode & 0o777
  t.ok(process.platform === 'win32' || mode === 0o600, 'only its owner may read it')
})

t.test('a file in which any byte is another one holds the copy of an earlier answer', async (t) => {
  const file = join(t.testdir(), 'copy')
  const store = fileStore(file)
  for (const n of [0, 1, 2]) await store.apply(stepAt(n, { puts: [entryOf(n)] }))
  await store.close()
  const whole = readFileSync(file)
  const start = whole.indexOf('\n') + 1
  for (let at = start; at < whole.length; at += 5) {
    const damaged = Buffer.from(whole)
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8))
    writeFileSync(file, damaged)
    const again = fileStore(file)
    const ids = await idsIn(again)
    const position = await again.position()
    if (!['', 'library-0', 'library-1,library-0'].includes(ids.join())) t.fail(`byte ${at}: ${ids.join()}`)
    t.same(position, ids.length === 0 ? undefined : positionAt(ids.length))
    for (const id of ids) t.same((await again.get('library', id))?.value, entryOf(Number(id.at(-1))).value)
    await again.close()
  }
})

t.test('a file that cannot be written again grows on', async (t) => {
  const file = join(t.testdir(), 'copy')
  const store = fileStore(file)
  mkdirSync(`${file}.new`)
  writeFileSync(join(`${file}.new`, 'of another program'), '')
  for (let n = 0; n < 510; n += 1) await store.apply(stepAt(n, { puts: [entryOf(n % 3)] }))
  t.same(await store.position(), positionAt(510))
  await store.close()
  t.same(await fileStore(file).position(), positionAt(510))
})
