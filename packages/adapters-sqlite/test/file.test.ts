import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { done, failure, sampleLibraryItem } from '@almoner/testkit/contracts'
import t from 'tap'
import { openSqlite } from '../src/index.ts'
import { openStore } from './store-of.ts'

const modeOf = (file: string) => statSync(file).mode & 0o777

t.test(
  'a new database and its side files are readable by their owner only, and folders are created',
  async (t) => {
    const file = join(t.testdir(), 'data', 'of', 'almoner.db')
    const store = await openStore(file)
    await done(store.libraryItems.add({ item: sampleLibraryItem(1), linksToImages: [] }))
    t.strictSame([file, `${file}-wal`, `${file}-shm`].map(modeOf), [0o600, 0o600, 0o600])
    await store.close()
  },
)

t.test('closing moves the log into the database', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const store = await openStore(file)
  const item = sampleLibraryItem(1)
  await done(store.libraryItems.add({ item, linksToImages: [] }))
  await store.close()
  t.notOk(existsSync(`${file}-wal`))
  const again = await openStore(file)
  t.match(await done(again.libraryItems.find(item.id)), { value: item })
  await again.close()
})

t.test('the mode of an existing database stays', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  await (await openStore(file)).close()
  chmodSync(file, 0o640)
  await (await openStore(file)).close()
  t.equal(modeOf(file), 0o640)
})

t.test('a file that cannot be opened is Unavailable', async (t) => {
  const folder = t.testdir()
  const noDatabase = join(folder, 'text.db')
  writeFileSync(noDatabase, 'this is no database, and it is long enough to tell. '.repeat(100))
  mkdirSync(join(folder, 'folder.db'))
  for (const file of [noDatabase, join(folder, 'folder.db'), join(noDatabase, 'below.db')])
    t.equal(await failure(openSqlite({ file })), 'Unavailable')
})
