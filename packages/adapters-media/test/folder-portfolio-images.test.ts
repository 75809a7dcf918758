import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PortfolioImage } from '@almoner/domain/media'
import { MINUTE } from '@almoner/domain/values'
import { done, failure, portfolioImagesContract, samplePortfolioImage } from '@almoner/testkit/contracts'
import { setClock } from '@almoner/testkit/memory'
import t from 'tap'
import { openFolderMediaStore, openFolderPortfolioImages } from '../src/index.ts'
import { runner } from './runner.ts'

const parent = await mkdtemp(join(tmpdir(), 'almoner-portfolio-'))
t.teardown(() => rm(parent, { recursive: true }))

let folders = 0
const open = async () => {
  folders += 1
  const folder = join(parent, `${folders}`, 'media', 'portfolio')
  const clock = setClock()
  return { folder, clock, images: await done(openFolderPortfolioImages({ folder, clock })) }
}

portfolioImagesContract(runner, async () => {
  const { folder, clock, images } = await open()
  return {
    images,
    clock,
    bytesOf: ({ kind, name }) => readFile(join(folder, kind, name)).catch(() => undefined),
    close: () => rm(folder, { recursive: true }),
  }
})

const BYTES = Buffer.from('the bytes of an image')
const [LOGO, VISUAL] = [samplePortfolioImage(1), samplePortfolioImage(2, 'visual')]

t.test('H1: an image is one file in the folder of its kind, readable by all', async (t) => {
  const { folder, images } = await open()
  await done(images.put(LOGO, BYTES))
  await done(images.put(VISUAL, BYTES))
  t.strictSame(
    [await readdir(join(folder, 'logo')), await readdir(join(folder, 'visual'))],
    [[LOGO.name], [VISUAL.name]],
  )
  t.equal(
    (await stat(join(folder, 'logo', LOGO.name))).mode & 0o777 & ~process.umask(),
    0o644 & ~process.umask(),
  )
})

t.test('H1: no name leads outside the folder', async (t) => {
  const { folder, images } = await open()
  await writeFile(join(folder, 'outside.0123456789abcdef.svg'), 'precious')
  for (const [kind, name] of [
    ['logo', '../outside.0123456789abcdef.svg'],
    ['..', 'outside.0123456789abcdef.svg'],
    ['logo', '.tmp-1'],
    ['logo', ''],
    ['logo', 'a.svg'],
  ]) {
    const image = { kind, name } as PortfolioImage
    t.equal(await failure(images.put(image, BYTES)), 'Unavailable', `put ${kind} ${name}`)
    t.equal(await failure(images.remove(image)), 'Unavailable', `remove ${kind} ${name}`)
  }
  t.equal(await readFile(join(folder, 'outside.0123456789abcdef.svg'), 'utf8'), 'precious')
  t.strictSame(await readdir(join(folder, 'logo')), [])
})

t.test('H1: if storing fails, nothing is left', async (t) => {
  const { folder, images } = await open()
  await mkdir(join(folder, 'logo', LOGO.name, 'in the way'), { recursive: true })
  t.equal(await failure(images.put(LOGO, BYTES)), 'Unavailable')
  t.strictSame(await readdir(join(folder, 'logo')), [LOGO.name])
})

t.test('H1: opening removes files that a crash left incomplete', async (t) => {
  const { folder, clock, images } = await open()
  await done(images.put(LOGO, BYTES))
  await writeFile(join(folder, 'logo', '.tmp-crashed'), 'half')
  clock.set(((await stat(join(folder, 'logo', '.tmp-crashed'))).mtimeMs + 61 * MINUTE) as never)
  await done(openFolderPortfolioImages({ folder, clock }))
  t.strictSame(await readdir(join(folder, 'logo')), [LOGO.name])
})

t.test('D5, H1: the sweep of uploads ignores images of the portfolio', async (t) => {
  const { folder, clock, images } = await open()
  await done(images.put(LOGO, BYTES))
  const uploads = await done(openFolderMediaStore({ folder: join(folder, '..'), clock }))
  for await (const batch of uploads.files()) t.strictSame(batch, [])
})
