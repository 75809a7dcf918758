import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ArchiveWriter, exportArchive, writeArchive } from '@almoner/adapters-kysely/archive'
import type { ImageFiles } from '@almoner/domain/ports'
import { done, sampleId, samplePortfolio } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { progressText } from '../../src/commands/archive/progress.ts'
import { furnish, onTransferStore, textsIn } from '../support/archive.ts'
import { onStore } from '../support/database.ts'
import { command, watchedCommand } from '../support/portfolio.ts'

t.test(
  'export writes everything except access tokens to one tar file that only its owner can read',
  async (t) => {
    const folder = t.testdir()
    await furnish(folder)
    const file = join(folder, 'all.tar')
    const { code, out, err } = await command(folder, 'export', file, '--json')
    t.strictSame([code, err], [0, ''], 'no progress without a terminal')
    const size = statSync(file)
    t.strictSame(JSON.parse(out), {
      file,
      rows: JSON.parse(out).rows,
      images: 6,
      missing: [],
      bytes: size.size,
    })
    t.equal(size.mode & 0o777, 0o600)
    const tar = execFileSync('tar', ['--list', '--file', file], { encoding: 'utf8' })
    const names = tar.trimEnd().split('\n')
    t.equal(names[0], 'manifest.json')
    t.equal(names.at(-1), 'end.json')
    t.ok(names.includes('images/sample-upload-000001.png'))
    t.ok(names.includes(`images/portfolio/visual/${samplePortfolio().organizations[0]?.visual}`))
    const texts = await textsIn(file)
    t.match(
      texts.get('rows/client_secret-000001.ndjson'),
      /^\{"client_id":"mover","seq":1,"hash":"[^"]+","until":null,"life":null\}\n$/,
    )
    t.notOk([...texts.keys()].some((name) => name.includes('token')))
    t.strictSame(readdirSync(folder).sort(), ['all.tar', 'data'], 'nothing else is left')
  },
)

t.test('an archive holds no claims', async (t) => {
  const folder = t.testdir()
  await furnish(folder)
  const file = join(folder, 'all.tar')
  await command(folder, 'export', file)
  const batch = (await textsIn(file)).get('rows/batch-000001.ndjson') ?? ''
  t.match(JSON.parse(batch), { remaining: 2, fence: 1, lease_until: null, closed: 0 })
})

t.test('sha256sum can read the lists of digests', async (t) => {
  const folder = t.testdir()
  await furnish(folder)
  const file = join(folder, 'all.tar')
  await command(folder, 'export', file)
  execFileSync('tar', ['--extract', '--file', file], { cwd: folder })
  const said = readFileSync(join(folder, 'digests/000001.sha256'), 'utf8')
  const texts = await textsIn(file)
  const lines = [...texts].map(
    ([name, text]) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`,
  )
  t.equal(said, lines.join(''))
})

t.test('an existing file is not overwritten, and a missing folder is named', async (t) => {
  const folder = t.testdir({ 'all.tar': 'something else' })
  await furnish(folder)
  const file = join(folder, 'all.tar')
  t.match(await command(folder, 'export', file), {
    code: 1,
    out: '',
    err: `almoner: ${file} is there already: choose another name\n`,
  })
  const nowhere = join(folder, 'nowhere', 'all.tar')
  t.match(await command(folder, 'export', nowhere), {
    code: 1,
    err: `almoner: ${nowhere} cannot be made: its folder is not there\n`,
  })
})

t.test('an export reports a missing image and continues', async (t) => {
  const folder = t.testdir({ new: {} })
  await furnish(folder)
  const lost = 'sample-upload-000002.png'
  const short = 'sample-upload-000003.png'
  rmSync(join(folder, 'data/media', lost))
  writeFileSync(join(folder, 'data/media', short), 'too short')
  const file = join(folder, 'all.tar')
  const { code, out, err } = await command(folder, 'export', file, '--json')
  t.match(JSON.parse(out), { images: 4, missing: [lost, short] })
  t.strictSame(
    [code, err.split('\n')[0]],
    [1, `almoner: missing from the media store: 2 images: ${lost}, ${short}`],
  )
  t.match(await command(join(folder, 'new'), 'import', file), {
    code: 0,
    out: new RegExp(
      `4 images imported\\nmissing when the archive was written: 2 images: ${lost}, ${short}\\n$`,
    ),
    err: '',
  })
})

t.test('with --strict a missing image is reported and no file is left', async (t) => {
  const folder = t.testdir()
  await furnish(folder)
  rmSync(join(folder, 'data/media/sample-upload-000002.png'))
  const file = join(folder, 'all.tar')
  const why = 'is not written: images are missing: sample-upload-000002.png'
  t.match(await command(folder, 'export', file, '--strict'), { code: 1, err: `almoner: ${file} ${why}\n` })
  t.notOk(existsSync(file))
  t.strictSame(readdirSync(folder), ['data'])
})

for (const isFound of [false, true])
  t.test(
    `an image that is deleted ${isFound ? 'even when' : 'before'} it was found is not an error`,
    async (t) => {
      const folder = t.testdir()
      await furnish(folder)
      const file = join(folder, 'all.tar')
      await onTransferStore(folder, async (store, files) => {
        let looked = 0
        const imageFiles: ImageFiles = {
          ...files,
          open: (image, part) => async () => {
            looked += 1
            if (looked !== 2) return files.open(image, part)()
            const opened = await files.open(image, part)()
            // Removes the images of the item with their files.
            await onStore(folder, ({ libraryItems }) =>
              done(
                libraryItems.change<never>(sampleId(1), (item) =>
                  E.right({
                    item: { ...item, status: 'Draft', images: { cover: O.none, notification: O.none } },
                    storesImages: [],
                    displaysImages: [],
                    linksToImages: [],
                  }),
                ),
              ),
            )
            for (const n of [1, 2]) rmSync(join(folder, `data/media/sample-upload-00000${n}.png`))
            return isFound ? opened : files.open(image, part)()
          },
        }
        const options = { file, isStrict: true, onProgress: () => {} }
        t.match(await done(exportArchive({ store, files: imageFiles }, options)), { images: 4 })
      })
      mkdirSync(join(folder, 'new'))
      t.match(await command(join(folder, 'new'), 'import', file), { code: 0, err: '' })
    },
  )

t.test('an error while writing an archive ends the export with that error, without waiting', async (t) => {
  const folder = t.testdir({ place: {} })
  const file = join(folder, 'all.tar')
  const large = Buffer.alloc(1_000_000)
  const failing = writeArchive(file, async (writer) => {
    await writer.add('first', large)
    throw new Error('the source is gone')
  })
  await t.rejects(failing, { message: 'the source is gone' })
  const lacking = writeArchive(file, async (writer) => {
    await writer.addFile('first', join(folder, 'nothing'))
    return {}
  })
  await t.rejects(lacking, { code: 'ENOENT' })
  const fill = async (writer: ArchiveWriter) => {
    for (let n = 0; n < 10; n += 1) await writer.add(`entry-${n}`, large)
    return {}
  }
  await t.rejects(writeArchive(join(folder, 'place'), fill), { code: 'EISDIR' })
  if (process.platform === 'linux') await t.rejects(writeArchive('/dev/full', fill), { code: 'ENOSPC' })
})

t.test('on a terminal the progress is shown, and cleared at the end', async (t) => {
  const folder = t.testdir()
  await furnish(folder)
  const { code, err } = await watchedCommand(folder, 'export', join(folder, 'all.tar'))
  t.ok(code === 0 && err.endsWith('\r\u001b[K'))
  const measure = (done: number, total = 1_000_000) => ({ done, total, units: 'rows' }) as const
  t.equal(
    progressText('exporting', measure(250_000), 5000),
    'exporting: 25 %, 50,000 rows a second, 15 s left',
  )
  t.equal(progressText('exporting', measure(0), 300), 'exporting: 0 %, 0 rows a second')
  t.equal(progressText('exporting', measure(0, 0), 0), 'exporting: 100 %, 0 rows a second')
})
