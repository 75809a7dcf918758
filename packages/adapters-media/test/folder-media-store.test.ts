import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckedImage, MediaName } from '@almoner/domain/media'
import type { MediaStore, StoredFile } from '@almoner/domain/ports'
import { MINUTE } from '@almoner/domain/values'
import { done, failure, mediaStoreContract, renditionClaimsContract } from '@almoner/testkit/contracts'
import { setClock } from '@almoner/testkit/memory'
import t from 'tap'
import { openFolderMediaStore } from '../src/index.ts'
import { runner } from './runner.ts'

const parent = await mkdtemp(join(tmpdir(), 'almoner-media-'))
t.teardown(() => rm(parent, { recursive: true }))

let folders = 0
const newFolder = (): string => {
  folders += 1
  return join(parent, `${folders}`, 'media')
}

mediaStoreContract(runner, async () => {
  const folder = newFolder()
  const clock = setClock()
  return {
    store: await done(openFolderMediaStore({ folder, clock })),
    clock,
    bytesOf: (name) => readFile(join(folder, name)).catch(() => undefined),
    renditionOf: (name) => readFile(join(folder, 'r', name)).catch(() => undefined),
    close: () => rm(folder, { recursive: true }),
  }
})

renditionClaimsContract(runner, async () => {
  const folder = newFolder()
  const clock = setClock()
  return {
    store: await done(openFolderMediaStore({ folder, clock })),
    clock,
    renditionOf: (name) => readFile(join(folder, 'r', name)).catch(() => undefined),
    close: () => rm(folder, { recursive: true }),
  }
})

const NAME = 'an_unguessable-name.png' as MediaName
const IMAGE: CheckedImage = { type: 'image/png', bytes: Buffer.from('the bytes of an image') }

const given = async () => {
  const folder = newFolder()
  const clock = setClock()
  return { folder, clock, store: await done(openFolderMediaStore({ folder, clock })) }
}

const listed = async (store: MediaStore): Promise<ReadonlyArray<StoredFile>> => {
  const all: Array<StoredFile> = []
  for await (const batch of store.files()) all.push(...batch)
  return all
}

t.test('D2: an image is one file under its own name, readable by all, writable by its owner', async (t) => {
  const { folder, store } = await given()
  await done(store.put(NAME, IMAGE))
  t.strictSame(await readdir(folder), [NAME], 'nothing else is left')
  t.equal((await stat(join(folder, NAME))).mode & 0o777 & ~process.umask(), 0o644 & ~process.umask())
})

t.test('D5: a file has the time of the clock', async (t) => {
  const { clock, store } = await given()
  await done(store.put(NAME, IMAGE))
  t.strictSame(await listed(store), [{ name: NAME, storedAt: clock.now() }])
})

t.test('D2: opening an existing folder keeps its files', async (t) => {
  const { folder, clock, store } = await given()
  await done(store.put(NAME, IMAGE))
  const again = await done(openFolderMediaStore({ folder, clock }))
  t.strictSame(await listed(again), await listed(store))
})

t.test('D2: if storing fails, no file is left, not even a temporary one', async (t) => {
  const { folder, store } = await given()
  await mkdir(join(folder, NAME, 'in the way'), { recursive: true })
  t.equal(await failure(store.put(NAME, IMAGE)), 'Unavailable')
  t.strictSame(await readdir(folder), [NAME])
  t.strictSame(await listed(store), [], 'a folder is not an image')
})

t.test('D2: a missing folder is a temporary error', async (t) => {
  const { folder, store } = await given()
  await rm(folder, { recursive: true })
  t.equal(await failure(store.put(NAME, IMAGE)), 'Unavailable')
  t.equal(await failure(store.remove(NAME)), 'none', 'removing a missing file succeeds')
  await t.rejects(listed(store))
})

t.test('D2: a folder that cannot be created is Unavailable', async (t) => {
  const path = newFolder()
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, 'a file')
  t.equal(await failure(openFolderMediaStore({ folder: path, clock: setClock() })), 'Unavailable')
})

t.test('D2: no name leads outside the folder', async (t) => {
  const { folder, store } = await given()
  const outside = join(folder, '..', 'outside-0123456789.png')
  await writeFile(outside, 'precious')
  for (const name of [
    '../outside-0123456789.png',
    outside,
    '.',
    '..',
    '',
    'a.png',
    'x\0.png',
    '.tmp-1.png',
  ]) {
    t.equal(await failure(store.put(name as MediaName, IMAGE)), 'Unavailable', `put ${JSON.stringify(name)}`)
    t.equal(await failure(store.remove(name as MediaName)), 'Unavailable', `remove ${JSON.stringify(name)}`)
  }
  t.equal(await readFile(outside, 'utf8'), 'precious')
  t.strictSame(await readdir(folder), [])
})

t.test('D5: only images are listed', async (t) => {
  const { folder, store } = await given()
  await done(store.put(NAME, IMAGE))
  await writeFile(join(folder, 'README.txt'), '')
  await writeFile(join(folder, '.tmp-of-another-process'), '')
  await mkdir(join(folder, 'a-folder-of-this-name.png'))
  t.strictSame(
    (await listed(store)).map(({ name }) => name),
    [NAME],
  )
})

t.test('D5: opening removes files that a crash left incomplete, but not those being written', async (t) => {
  const { folder, clock, store } = await given()
  await done(store.put(NAME, IMAGE))
  const aged = async (name: string, minutes: number) => {
    const seconds = (clock.now() - minutes * MINUTE) / 1000
    await writeFile(join(folder, name), 'half')
    await utimes(join(folder, name), seconds, seconds)
  }
  await aged('.tmp-crashed', 61)
  await aged('.tmp-under-way', 59)
  await aged('.tmp-just-begun', -1)
  await aged('notes.txt', 600)
  await done(openFolderMediaStore({ folder, clock }))
  t.strictSame((await readdir(folder)).sort(), ['.tmp-just-begun', '.tmp-under-way', NAME, 'notes.txt'])
})

t.test('I9: an upload outlives a process that opens the folder with a clock years ahead', async (t) => {
  const { folder, clock, store } = await given()
  const bytes = Buffer.alloc(8 * 1024 * 1024, 7)
  const ahead = setClock(clock.now() + 3 * 365 * 24 * 60 * MINUTE)
  const written = done(store.put(NAME, { type: 'image/png', bytes }))
  const unfinished = async () => (await readdir(folder)).filter((name) => name.startsWith('.tmp-'))
  let [name] = await unfinished()
  while (name === undefined) [name] = await unfinished()
  await done(openFolderMediaStore({ folder, clock: ahead }))
  t.notOk((await unfinished()).includes(name), 'it takes the file for the remains of a crash')
  await written
  t.strictSame(await readFile(join(folder, NAME)), bytes)
})

t.test('D2: a reader never sees an incomplete image', async (t) => {
  const { folder, store } = await given()
  const bytes = Buffer.alloc(8 * 1024 * 1024, 7)
  let writing = true
  const written = done(store.put(NAME, { type: 'image/png', bytes })).finally(() => {
    writing = false
  })
  const lengths = new Set<number>()
  while (writing) {
    const seen = await readFile(join(folder, NAME)).catch(() => undefined)
    if (seen !== undefined) lengths.add(seen.length)
  }
  await written
  lengths.delete(bytes.length)
  t.strictSame([...lengths], [])
})

t.test(
  'D8: an image stays while one of its renditions cannot be deleted, so that the sweep tries again',
  async (t) => {
    const { folder, store } = await given()
    await done(store.put(NAME, IMAGE))
    // A folder in the place of a file cannot be deleted as one.
    const rendition = join(folder, 'r/320', NAME.replace('.png', '.webp'))
    await mkdir(rendition, { recursive: true })
    t.equal(await failure(store.remove(NAME)), 'Unavailable')
    t.strictSame(
      (await listed(store)).map(({ name }) => name),
      [NAME],
    )
    await rm(rendition, { recursive: true })
    await done(store.remove(NAME))
    t.strictSame(await listed(store), [])
  },
)
