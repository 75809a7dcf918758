import {
  type CheckedImage,
  EXTENSIONS,
  type ImageType,
  type MediaName,
  type RenditionName,
  renditionName,
  renditionsOf,
  type StorageId,
} from '@almoner/domain/media'
import { CLAIM_LIFE, type Clock, type MediaStore, type StoredFile } from '@almoner/domain/ports'
import { addMillis, SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from '../runner.ts'
import { done } from '../samples.ts'

/** A media store for one test, with its own files. */
export interface MediaStoreUnderTest {
  readonly store: MediaStore
  /** The clock by which the store dates its files. */
  readonly clock: Clock
  /** Returns the bytes stored under a name; none if there is no such file. */
  readonly bytesOf: (name: MediaName) => Promise<Uint8Array | undefined>
  /** Returns the bytes of a rendition; none if there is no such file. */
  readonly renditionOf: (name: RenditionName) => Promise<Uint8Array | undefined>
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

  given(
    'D8: renditions are no files of the listing, and are deleted with their image',
    async (check, under) => {
      const { store, bytesOf, renditionOf } = under
      const [name, other] = [nameOf(0), nameOf(1)]
      await done(store.put(name, imageOf(0)))
      await done(store.put(other, imageOf(1)))
      for (const one of [...renditionsOf(name), ...renditionsOf(other)])
        await done(store.putRendition(one, new TextEncoder().encode(one)))
      check.same(await namesIn(store), [name, other].sort())
      const [first, ...rest] = renditionsOf(name)
      check.same(first && new TextDecoder().decode(await renditionOf(first)), first)
      if (first !== undefined) await done(store.putRendition(first, imageOf(2).bytes))
      const replaced = first && (await renditionOf(first))
      check.same(replaced && [...replaced], [...imageOf(2).bytes], 'in place of the earlier one')
      await done(store.releaseRenditions(name, true))
      await done(store.remove(name))
      for (const one of [first, ...rest]) check.same(one && (await renditionOf(one)), undefined)
      for (const one of renditionsOf(other)) check.ok(await renditionOf(one), 'those of others stay')
      check.ok(await bytesOf(other))
      check.same(await done(store.claimRenditions(name)), 'claimed', 'so is the mark of a broken image')
    },
  )

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

/** Contract tests of the claims of a media store, for one that can store a file only if there is none (D8). */
export const renditionClaimsContract = (
  runner: ContractRunner,
  make: () => Promise<Pick<MediaStoreUnderTest, 'store' | 'clock' | 'renditionOf' | 'close'>>,
): void => {
  const given = onEach(runner, make)
  given(
    'D8: one of many gets the claim of an image, and others after its release',
    async (check, { store }) => {
      const claims = await Promise.all(
        Array.from({ length: 8 }, () => done(store.claimRenditions(nameOf(0)))),
      )
      check.same(claims.filter((claim) => claim === 'claimed').length, 1)
      check.same(claims.filter((claim) => claim === 'taken').length, 7)
      check.same(await done(store.claimRenditions(nameOf(1))), 'claimed', 'each image has its claim')
      await done(store.releaseRenditions(nameOf(0), false))
      check.same(await done(store.claimRenditions(nameOf(0))), 'claimed')
      check.same(await done(store.claimRenditions(nameOf(1))), 'taken')
      await done(store.releaseRenditions(nameOf(0), true))
      for (let n = 0; n < 2; n += 1) check.same(await done(store.claimRenditions(nameOf(0))), 'broken')
      check.same(await listed(store), [], 'a claim is no file')
    },
  )

  given(
    'D6, D8: renditions of a deleted image that a crash left are found by their old claim',
    async (check, { store, clock, renditionOf }) => {
      const [gone, kept, running] = [nameOf(2), nameOf(3), nameOf(4)]
      for (const name of [gone, kept, running]) {
        await done(store.put(name, imageOf(2)))
        check.same(await done(store.claimRenditions(name)), 'claimed')
      }
      for (const name of [gone, running]) await done(store.remove(name))
      const late = renditionName(gone, 320)
      for (const name of [late, renditionName(kept, 320)])
        await done(store.putRendition(name, imageOf(3).bytes))
      await done(store.releaseRenditions(running, false))
      check.same(await done(store.removeStrayRenditions(clock.now())), 0, 'the process may still run')
      check.ok(await renditionOf(late))
      const later = addMillis(clock.now(), CLAIM_LIFE + SECOND)
      check.same(await done(store.removeStrayRenditions(later)), 1)
      check.same(await renditionOf(late), undefined)
      check.ok(await renditionOf(renditionName(kept, 320)), 'those of a stored image stay')
      check.same(await done(store.claimRenditions(gone)), 'claimed', 'the claim is gone too')
      check.same(await done(store.removeStrayRenditions(clock.now())), 0)
    },
  )
}

/** A store for one test. */
export type StorageIdentityUnderTest = UnderTest<'storageIdentity'>

/** Contract tests of `StorageIdentity` (D6). */
export const storageIdentityContract = (
  runner: ContractRunner,
  make: () => Promise<StorageIdentityUnderTest>,
): void => {
  runner('D6: if several nodes create an identity at once, one is stored for all', async (check) => {
    const { storageIdentity, close } = await make()
    check.same(await done(storageIdentity.find()), O.none)
    const ids = Array.from({ length: 8 }, (_, n) => `identity-${n}` as StorageId)
    const established = await Promise.all(ids.map((id) => done(storageIdentity.establish(id))))
    check.same(new Set(established).size, 1)
    check.same(await done(storageIdentity.find()), O.fromNullable(established[0]))
    check.same(await done(storageIdentity.establish('later' as StorageId)), established[0])
    await close()
  })

  runner(
    'D6: the reason why the latest sweep stopped is stored, with and without an identity',
    async (check) => {
      const { storageIdentity, close } = await make()
      check.same(await done(storageIdentity.lastRefusal()), O.none)
      await done(storageIdentity.recordSweep(O.some('other-storage')))
      check.same(await done(storageIdentity.lastRefusal()), O.some('other-storage'))
      check.same(await done(storageIdentity.find()), O.none)
      check.same(await done(storageIdentity.establish('one' as StorageId)), 'one')
      check.same(await done(storageIdentity.lastRefusal()), O.some('other-storage'))
      await done(storageIdentity.recordSweep(O.none))
      check.same(await done(storageIdentity.lastRefusal()), O.none)
      check.same(await done(storageIdentity.find()), O.some('one'))
      await close()
    },
  )
}
