import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImageFile } from '@almoner/domain/library'
import { setClock } from '@almoner/domain/memory'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { imageFilesContract } from '../../domain/contracts/image-files.ts'
import { done, failure } from '../../domain/contracts/samples.ts'
import { folderImageFiles, openFolderMediaStore, openFolderPortfolioImages } from '../src/index.ts'
import { runner } from './runner.ts'

imageFilesContract(runner, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'almoner-images-'))
  const clock = setClock()
  return {
    files: folderImageFiles(folder),
    mediaStore: await done(openFolderMediaStore({ folder, clock })),
    portfolioImages: await done(openFolderPortfolioImages({ folder: join(folder, 'portfolio'), clock })),
    clock,
    close: () => rm(folder, { recursive: true }),
  }
})

t.test('D2: no name leads outside the folder', async (t) => {
  const folder = t.testdir({ 'outside-0123456789.png': 'precious', media: {} })
  const files = folderImageFiles(join(folder, 'media'))
  for (const [kind, name] of [
    ['upload', '../outside-0123456789.png'],
    ['upload', ''],
    ['logo', '../../../outside-0123456789.png'],
    ['..', 'outside.0123456789abcdef.png'],
  ] as const) {
    t.equal(await failure(files.look({ kind, name } as unknown as ImageFile)), 'Unavailable', name)
    t.equal(await failure(files.open({ kind, name } as unknown as ImageFile)), 'Unavailable', name)
  }
})

t.test('D2: a link to a file outside is not an image', async (t) => {
  const folder = t.testdir()
  const file = { kind: 'upload', name: 'a-link-that-leads-away.png' } as ImageFile
  await writeFile(join(folder, 'elsewhere'), 'precious')
  await symlink(join(folder, 'elsewhere'), join(folder, file.name))
  t.strictSame(await done(folderImageFiles(folder).look(file)), O.none)
})
