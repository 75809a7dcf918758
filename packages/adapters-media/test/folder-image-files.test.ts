import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { MediaName } from '@almoner/domain/media'
import type { ImageFile } from '@almoner/domain/ports'
import { done, failure, imageFilesContract } from '@almoner/testkit/contracts'
import { setClock } from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
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

t.test('D10: links are followed: what is served is also looked at, read and listed', async (t) => {
  const folder = join(t.testdir({ elsewhere: { target: 'precious', folder: {} } }), 'media')
  const store = await done(openFolderMediaStore({ folder, clock: setClock() }))
  const named = (name: string) => ({ kind: 'upload', name }) as ImageFile
  for (const [name, target] of [
    ['a-link-to-another-file.png', '../elsewhere/target'],
    ['a-link-through-a-link.png', 'a-link-to-another-file.png'],
    ['a-link-to-some-folder.png', '../elsewhere/folder'],
    ['a-link-to-nothing.png', '../elsewhere/nothing'],
    ['a-link-to-itself-0.png', 'a-link-to-itself-0.png'],
  ] as const)
    await symlink(target, join(folder, name))
  const files = folderImageFiles(folder)
  for (const name of ['a-link-to-another-file.png', 'a-link-through-a-link.png']) {
    t.match(await done(files.look(named(name))), { value: { size: 8 } }, name)
    const opened = await done(files.open(named(name)))
    t.equal(O.isSome(opened) && (await text(opened.value.bytes)), 'precious', name)
  }
  for (const name of ['a-link-to-some-folder.png', 'a-link-to-nothing.png', 'a-link-to-itself-0.png'])
    t.strictSame(await done(files.look(named(name))), O.none, name)
  const listed: Array<string> = []
  for await (const batch of store.files()) listed.push(...batch.map(({ name }) => name))
  t.strictSame(listed.toSorted(), ['a-link-through-a-link.png', 'a-link-to-another-file.png'])
  await done(store.remove('a-link-to-another-file.png' as MediaName))
  t.equal(
    await readFile(join(folder, '../elsewhere/target'), 'utf8'),
    'precious',
    'deleting takes the link alone',
  )
})
