import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { run } from '../../src/cli/program.ts'
import { furnish, textsIn } from '../support/archive.ts'
import { DEFAULT_DATABASE } from '../support/database.ts'
import { inFolder } from '../support/in-process.ts'
import { command } from '../support/portfolio.ts'

t.test('operations.md: export - writes the archive that export FILE writes to standard output', async (t) => {
  const root = t.testdir({ from: {}, to: {} })
  const folder = join(root, 'from')
  await furnish(folder)
  const [file, streamed] = [join(folder, 'file.tar'), join(folder, 'streamed.tar')]
  await command(folder, 'export', file)
  const output = openSync(streamed, 'w')
  execFileSync(process.execPath, [join(import.meta.dirname, '../../almoner.js'), 'export', '-'], {
    cwd: folder,
    stdio: ['ignore', output, 'pipe'],
  })
  closeSync(output)
  const named = ['manifest.json', 'end.json']
  const rowsOf = async (path: string) => [...(await textsIn(path))].filter(([name]) => !named.includes(name))
  t.strictSame(await rowsOf(streamed), await rowsOf(file))
  t.equal(readFileSync(streamed).length, readFileSync(file).length)
  t.notOk(existsSync(join(folder, '-')))
  t.match(await inFolder(join(root, 'to'), ['import', streamed]), { code: 0, err: '' })
})

/** Runs `export` with an output that takes some chunks and then none. */
const exportTo = async (folder: string, most: number, ...args: ReadonlyArray<string>) => {
  const said = { out: '', err: '' }
  let chunks = 0
  const code = await run(['export', '-', ...args], {
    environment: {
      ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}`,
      ALMONER_MEDIA: `file:${folder}/none`,
    },
    input: async () => '',
    out: (text) => {
      said.out += text
    },
    outBytes: async () => {
      chunks += 1
      return chunks > most ? new Error('no space is left') : undefined
    },
    err: (text) => {
      said.err += text
    },
    isTerminal: false,
  })
  return { code, chunks, ...said }
}

t.test('operations.md: export - fails if the output cannot be written or images are missing', async (t) => {
  const folder = t.testdir()
  await furnish(folder)
  for (const most of [0, 3])
    t.strictSame(await exportTo(folder, most), {
      code: 1,
      chunks: most + 1,
      out: '',
      err: 'almoner: the archive is not complete: no space is left\n',
    })
  const whole = await exportTo(folder, Infinity)
  t.match(whole, { code: 1, out: '' })
  t.match(
    whole.err,
    /^\d+ rows and 0 images in standard output[^\n]+\nalmoner: missing from the media store: 6 images/,
  )
  t.match(await exportTo(folder, Infinity, '--strict'), { code: 1, err: /images are missing/ })
})

t.test('operations.md: a backup is a file, never standard output', async (t) => {
  const folder = t.testdir()
  await furnish(folder)
  t.match(await inFolder(folder, ['backup', '-']), {
    code: 2,
    out: '',
    err: /^almoner: a backup is written to a file/,
  })
})
