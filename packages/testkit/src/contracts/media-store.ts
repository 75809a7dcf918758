import {
  type CheckedImage,
  EXTENSIONS,
  type ImageType,
  type MediaName,
  type StorageId,
} from '@almoner/domain/media'
import type { Clock, MediaStore, StoredFile } from '@almoner/domain/ports'
import { SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach } from './runner.ts'
import { done } from './samples.ts'

/** A media store for one test, with its own files. */
export interface MediaStoreUnderTest {
  readonly store: MediaStore
  /** The clock by which the store dates its files. */
  readonly clock: Clock
  /** Returns the bytes stored under a name; none if there is no such file. */
  readonly bytesOf: (name: MediaName) => Promise<Uint8Array | undefined>
  /** Releases the adapter's resources. Called once at the end of each test, also after a failure. */
  readonly close: () => Promise<void>
}

const nameOf = (n: number, type: ImageType = 'image/png'): MediaName =>
  `sample_media-${n.toString().padStart(8, '0')}.${EXTENSIONS[type]}` as MediaName

/** Bytes that every text encoding would change. */
const imageOf = (n: number, type: ImageType = 'image/png'): CheckedImage => ({
  type,
  bytes: Uint8Array.from({ length: 1000 + n }, (_, i) => (i * 7 + n) % 256),
})

const listed = async (store: MediaStore): Promise<ReadonlyArray<StoredFile>> => {
  const all: Array<StoredFile> = []
  for await (const batch of store.files()) all.push(...batch)
  return all
}

const namesIn = async (store: MediaStore): Promise<ReadonlyArray<MediaName>> =>
  (await listed(store)).map(({ name }) => name).sort()

/** Contract tests of media stores (D2, D5). */
export const mediaStoreContract = (
  runner: ContractRunner,
  make: () => Promise<MediaStoreUnderTest>,
): void => {
  const given = onEach(runner, make)
  const fill = async ({ store }: MediaStoreUnderTest, count: number) => {
    const numbers = Array.from({ length: count }, (_, n) => n)
    await Promise.all(numbers.map((n) => done(store.put(nameOf(n), imageOf(n)))))
    return numbers.map((n) => nameOf(n))
  }

  given(
    'D2: stored images are returned byte for byte, JPEG and PNG alike',
    async (check, { store, bytesOf }) => {
      for (const type of ['image/jpeg', 'image/png'] as const) {
        await done(store.put(nameOf(1, type), imageOf(1, type)))
        const bytes = await bytesOf(nameOf(1, type))
        check.same(bytes && [...bytes], [...imageOf(1, type).bytes], type)
      }
    },
  )

  given(
    'D2: changing the bytes after storing does not change the image',
    async (check, { store, bytesOf }) => {
      const image = imageOf(2)
      await done(store.put(nameOf(2), image))
      image.bytes.fill(0)
      const bytes = await bytesOf(nameOf(2))
      check.same(bytes && [...bytes], [...imageOf(2).bytes])
    },
  )

  given('D6: the storage marker can be replaced and is not listed as an image', async (check, { store }) => {
    check.same(await done(store.readMarker()), O.none)
    for (const id of ['first', 'second-identity'] as ReadonlyArray<StorageId | string>) {
      await done(store.writeMarker(id as StorageId))
      check.same(await done(store.readMarker()), O.some(id))
    }
    check.same(await listed(store), [])
  })

  given('D5: an empty store lists nothing', async (check, { store }) => {
    check.same(await listed(store), [])
  })

  given('D5: each file is listed once, also those stored concurrently', async (check, under) => {
    const names = await fill(under, 250)
    check.same(await namesIn(under.store), names)
  })

  given('D5: a file has the time when it was stored', async (check, { store, clock }) => {
    const before = clock.now()
    await done(store.put(nameOf(3), imageOf(3)))
    const [file] = await listed(store)
    check.ok(file !== undefined && file.storedAt >= before - SECOND, 'not before')
    check.ok(file !== undefined && file.storedAt <= clock.now() + SECOND, 'not after')
  })

  given('D5: removing deletes one file only', async (check, under) => {
    const [first, ...others] = await fill(under, 3)
    if (first !== undefined) await done(under.store.remove(first))
    check.same(await under.bytesOf(nameOf(0)), undefined)
    check.same(await namesIn(under.store), others)
    check.ok(await under.bytesOf(nameOf(1)))
  })

  given('D5: removing a missing file is not an error', async (check, { store, bytesOf }) => {
    await done(store.put(nameOf(4), imageOf(4)))
    await done(store.remove(nameOf(4)))
    await done(store.remove(nameOf(4)))
    await done(store.remove(nameOf(5)))
    check.same(await bytesOf(nameOf(4)), undefined)
  })

  given('D5: a name can be stored again after its removal', async (check, { store, bytesOf }) => {
    await done(store.put(nameOf(6), imageOf(6)))
    await done(store.remove(nameOf(6)))
    await done(store.put(nameOf(6), imageOf(7)))
    const bytes = await bytesOf(nameOf(6))
    check.same(bytes && [...bytes], [...imageOf(7).bytes])
  })

  given('D5: a sweep may remove files while it lists them', async (check, under) => {
    await fill(under, 250)
    for await (const batch of under.store.files())
      for (const { name } of batch) await done(under.store.remove(name))
    check.same(await listed(under.store), [])
  })

  given('D5: a reader may stop in the middle of the listing', async (check, under) => {
    const names = await fill(under, 250)
    for await (const batch of under.store.files()) {
      check.ok(batch.length > 0)
      break
    }
    check.same(await namesIn(under.store), names)
  })
}
