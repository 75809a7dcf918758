import { type CheckedImage, isMediaName, type MediaName } from '@almoner/domain/media'
import { CLAIM_LIFE, unavailable } from '@almoner/domain/ports'
import { addMillis, instant, type WebUrl } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Faults } from './faults.ts'

/** Changes the batches of a listing of files. */
const batches = async function* <A>(
  files: AsyncIterable<ReadonlyArray<A>>,
  change: (batch: ReadonlyArray<A>) => ReadonlyArray<A>,
) {
  for await (const batch of files) yield change(batch)
}

/** Faults of stored uploads, and of their names and addresses. */
export const IMAGE_FAULTS: Faults<'knownImages' | 'storageIdentity' | 'mediaStore' | 'mediaAddresses'> = {
  knownImages: {
    'knows every name': [
      'D5: of many names, those that an item references',
      () => ({ among: (names) => TE.right(new Set(names)) }),
    ],
    'looks up 1,000 names': [
      'D5: of many names, those that an item references',
      ({ among }) => ({ among: (names) => among(names.slice(0, 1000)) }),
    ],
    'is never empty': [
      'D5: of many names, those that an item references',
      () => ({ isEmpty: () => TE.right(false) }),
    ],
    'forgets images before their time': [
      'D5, M12: an image that an act of a person replaced',
      ({ forgetReleased }) => ({
        forgetReleased: (before, now) => forgetReleased(addMillis(before, 1000), now),
      }),
    ],
    'keeps images that a clock which was ahead has released': [
      'D5, M12: an image that an act of a person replaced',
      ({ forgetReleased }) => ({
        forgetReleased: (before) => forgetReleased(before, instant(Number.MAX_SAFE_INTEGER)),
      }),
    ],
    'forgets no released image': [
      'D5, M12: an image that an act of a person replaced',
      () => ({ forgetReleased: () => TE.right([]) }),
    ],
    'has no size': ['D9: sizes are those of the upload', () => ({ sizesOf: () => TE.right(new Map()) })],
    'makes up sizes': [
      'D9: sizes are those of the upload',
      () => ({
        sizesOf: (names) => TE.right(new Map(names.map((name) => [name, { width: 401, height: 560 }]))),
      }),
    ],
    'finds no image without a size': [
      'D9: images without a size are found until it is recorded',
      () => ({ unmeasured: () => TE.right([]) }),
    ],
    'finds all images without a size at once': [
      'D9: images without a size are found until it is recorded',
      ({ unmeasured }) => ({ unmeasured: () => unmeasured(100) }),
    ],
    'keeps asking for broken images': [
      'D9: images without a size are found until it is recorded',
      ({ recordSize }) => ({
        recordSize: (name, size) => (O.isNone(size) ? TE.right(undefined) : recordSize(name, size)),
      }),
    ],
    'records a size of nothing': [
      'D9: images without a size are found until it is recorded',
      ({ recordSize }) => ({ recordSize: (name) => recordSize(name, O.some({ width: 0, height: 0 })) }),
    ],
  },
  storageIdentity: {
    'gives each node its own identity': [
      'D6: if several nodes create an identity at once, one is stored for all',
      () => ({ establish: (id) => TE.right(id) }),
    ],
    'forgets why a sweep stopped when it stores an identity': [
      'D6: the reason why the latest sweep stopped is stored',
      ({ establish, recordSweep }) => ({
        establish: (id) =>
          pipe(
            recordSweep(O.none),
            TE.flatMap(() => establish(id)),
          ),
      }),
    ],
    'keeps the reason after a sweep that ran': [
      'D6: the reason why the latest sweep stopped is stored',
      ({ recordSweep }) => ({
        recordSweep: (refusal) => (O.isNone(refusal) ? TE.right(undefined) : recordSweep(refusal)),
      }),
    ],
  },
  mediaStore: {
    'stores text': [
      'D2: stored images are returned byte for byte',
      ({ put }) => ({
        put: (name, { type, bytes }) =>
          put(name, { type, bytes: new TextEncoder().encode(new TextDecoder().decode(bytes)) }),
      }),
    ],
    'keeps a reference to the given bytes': [
      'D2: changing the bytes after storing',
      ({ held }) => {
        const given = new Map<MediaName, CheckedImage>()
        return {
          put: (name, image) => async () => E.right(void given.set(name, image)),
          held: () => new Map([...held(), ...given]),
        }
      },
    ],
    'lists renditions': [
      'D8: renditions are no files of the listing',
      ({ put, putRendition }) => ({
        putRendition: (name, bytes) =>
          pipe(
            put(name as string as MediaName, { type: 'image/png', bytes }),
            TE.flatMap(() => putRendition(name, bytes)),
          ),
      }),
    ],
    'keeps the renditions of a deleted image': [
      'D8: renditions are no files of the listing, and are deleted with their image',
      ({ renditions }) => {
        const kept = new Map()
        return {
          renditions: () => {
            for (const [name, rendition] of renditions()) kept.set(name, rendition)
            return kept
          },
        }
      },
    ],
    'gives all a claim': [
      'D8: one of many gets the claim of an image',
      () => ({ claimRenditions: () => TE.right('claimed') }),
    ],
    'has one claim for all images': [
      'D8: one of many gets the claim of an image',
      ({ claimRenditions, releaseRenditions }) => ({
        claimRenditions: () => claimRenditions('one-name-for-all.png' as MediaName),
        releaseRenditions: (_, isBroken) => releaseRenditions('one-name-for-all.png' as MediaName, isBroken),
      }),
    ],
    'ends the claim of a deleted image': [
      'D6, D8: renditions of a deleted image that a crash left',
      ({ remove, releaseRenditions }) => ({
        remove: (name) =>
          pipe(
            remove(name),
            TE.flatMap(() => releaseRenditions(name, false)),
          ),
      }),
    ],
    'takes every claim for an old one': [
      'D6, D8: renditions of a deleted image that a crash left',
      ({ removeStrayRenditions }) => ({
        removeStrayRenditions: (now) => removeStrayRenditions(addMillis(now, 2 * CLAIM_LIFE)),
      }),
    ],
    'leaves strays': [
      'D6, D8: renditions of a deleted image that a crash left',
      () => ({ removeStrayRenditions: () => TE.right(0) }),
    ],
    'forgets that an image is broken': [
      'D8: one of many gets the claim of an image',
      ({ releaseRenditions }) => ({ releaseRenditions: (name) => releaseRenditions(name, false) }),
    ],
    'lists its marker as an image': [
      'D6: the storage marker can be replaced and is not listed',
      ({ put, writeMarker }) => ({
        writeMarker: (id) =>
          pipe(
            put('marker' as MediaName, { type: 'image/png', bytes: new Uint8Array(1) }),
            TE.flatMap(() => writeMarker(id)),
          ),
      }),
    ],
    'keeps its first marker': [
      'D6: the storage marker can be replaced',
      ({ readMarker, writeMarker }) => ({
        writeMarker: (id) =>
          pipe(
            readMarker(),
            TE.flatMap((marker) => (O.isSome(marker) ? TE.right(undefined) : writeMarker(id))),
          ),
      }),
    ],
    'lists a file twice': [
      'D5: each file is listed once',
      ({ files }) => ({ files: () => batches(files(), (batch) => [...batch, ...batch]) }),
    ],
    'lists 100 files at most': [
      'D5: each file is listed once',
      ({ files }) => ({ files: () => batches(files(), (batch) => batch.slice(0, 100)) }),
    ],
    'does not know when files were stored': [
      'D5: a file has the time when it was stored',
      ({ files }) => ({
        files: () => batches(files(), (batch) => batch.map((file) => ({ ...file, storedAt: instant(0) }))),
      }),
    ],
    'hides a removed file and leaves its bytes': [
      'D5: removing deletes one file only',
      ({ files }) => {
        const removed = new Set<MediaName>()
        return {
          remove: (name) => async () => E.right(void removed.add(name)),
          files: () => batches(files(), (batch) => batch.filter(({ name }) => !removed.has(name))),
        }
      },
    ],
    'fails to remove a missing file': [
      'D5: removing a missing file is not an error',
      ({ held, remove }) => ({
        remove: (name) => (held().has(name) ? remove(name) : TE.left(unavailable('there is no such file'))),
      }),
    ],
    'never stores a name again': [
      'D5: a name can be stored again after its removal',
      ({ put }) => {
        const known = new Set<MediaName>()
        return {
          put: (name, image) => {
            if (known.has(name)) return TE.right(undefined)
            known.add(name)
            return put(name, image)
          },
        }
      },
    ],
  },
  mediaAddresses: {
    'gives all images one address': [
      'D3: an image is named by its own address',
      ({ urlOf }) => ({ urlOf: () => urlOf('one-name-for-all.png' as MediaName) }),
    ],
    'reads the query as part of the name': [
      'D3: query and fragment make no other image',
      () => ({
        nameOf: (url) => {
          const [, name = ''] = /\/static\/media\/([^/]+)$/.exec(url) ?? []
          return name === '' ? O.none : O.some(name as MediaName)
        },
      }),
    ],
    'knows an image by the end of any address': [
      'D5: an address of another host or path names no image',
      () => ({
        nameOf: (url: WebUrl) => {
          const name = url.replace(/[?#].*$/, '').replace(/^.*\//, '')
          return isMediaName(name) ? O.some(name) : O.none
        },
      }),
    ],
  },
}
