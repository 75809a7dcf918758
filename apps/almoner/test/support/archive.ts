import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeTransferStore, type TransferStore } from '@almoner/adapters-kysely'
import { bytesOf as contentOf, END, withArchive, writeArchive } from '@almoner/adapters-kysely/archive'
import { folderImageFiles, openFolderMediaStore, openFolderPortfolioImages } from '@almoner/adapters-media'
import { systemClock } from '@almoner/adapters-node'
import { openSqlite } from '@almoner/adapters-sqlite'
import type { ClientId } from '@almoner/domain'
import type { Action, TimedAct } from '@almoner/domain/access'
import { type ImageRef, type MediaName, type StoredImage, stored } from '@almoner/domain/media'
import type { LabelId, LabelName } from '@almoner/domain/values'
import {
  done,
  SAMPLE_MOMENT,
  sampleDevice,
  sampleEmail,
  sampleFeedItem,
  sampleLibraryItem,
  sampleNotification,
  samplePortfolio,
} from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { addClient, type Credentials } from './client.ts'
import { DEFAULT_DATABASE, makeCurrent, onStore } from './database.ts'

/** Bytes that stand for an image; nothing here decodes it. */
const bytesOf = (name: string): Uint8Array => Buffer.from(`the bytes of ${name}`)

const upload = (n: number): StoredImage => {
  const name = `sample-upload-${String(n).padStart(6, '0')}.png` as MediaName
  return { name, type: 'image/png', bytes: bytesOf(name).length }
}

const mediaOf = (folder: string) => join(folder, 'data', 'media')

const storeImages = async (folder: string, uploads: ReadonlyArray<StoredImage>): Promise<void> => {
  const store = await done(openFolderMediaStore({ folder: mediaOf(folder), clock: systemClock }))
  for (const { name, type } of uploads) await done(store.put(name, { type, bytes: bytesOf(name) }))
  const portfolio = await done(
    openFolderPortfolioImages({ folder: join(mediaOf(folder), 'portfolio'), clock: systemClock }),
  )
  const { sectors, organizations } = samplePortfolio()
  for (const { logo: name } of [...sectors, ...organizations])
    await done(portfolio.put({ kind: 'logo', name }, bytesOf(name)))
  for (const { visual: name } of organizations)
    await done(portfolio.put({ kind: 'visual', name }, bytesOf(name)))
}

/** Fills a folder's service with some of everything, a notification half sent, and gives a client's credentials. */
export const furnish = async (folder: string): Promise<Credentials> => {
  await makeCurrent(folder)
  const credentials = await addClient(folder, 'mover', 'content-manager')
  const [cover, notification, photo] = [upload(1), upload(2), upload(3)]
  await storeImages(folder, [cover, notification, photo])
  await onStore(folder, async (store) => {
    const label = { labelId: 'water' as LabelId, en: 'Water' as LabelName, fr: 'Eau' as LabelName }
    await done(store.labels.replaceAll([label]))
    const item = sampleLibraryItem(1)
    const by = (action: Action): TimedAct => ({
      actor: { kind: 'client', id: 'mover' },
      action,
      at: SAMPLE_MOMENT,
    })
    await done(store.libraryItems.add({ item, linksToImages: [], act: by('create') }))
    const french = sampleLibraryItem(3, { lang: 'fr' })
    await done(store.libraryItems.add({ item: french, linksToImages: [], act: by('create') }))
    await done(store.translations.link(french.id, item.id))
    const ref = ({ name }: StoredImage): O.Option<ImageRef> => O.some(stored(name))
    await done(
      store.libraryItems.change<never>(item.id, () =>
        E.right({
          item: { ...item, images: { cover: ref(cover), notification: ref(notification) } },
          storesImages: [cover, notification],
          displaysImages: [cover.name, notification.name],
          linksToImages: [],
          act: by('update'),
        }),
      ),
    )
    const post = sampleFeedItem(2, {
      content: { kind: 'photo', link: O.none, vlink: O.none, image: O.none },
    })
    await done(
      store.feedItems.add({
        item: post,
        linksToImages: [],
        author: { clientId: 'mover' as ClientId, email: O.some(sampleEmail(1)) },
      }),
    )
    await done(store.labels.attach('feed', post.id, label.labelId, undefined, by('attach-label')))
    await done(
      store.feedItems.change<never>(post.id, () =>
        E.right({
          item: { ...post, content: { ...post.content, image: O.some(photo.name) } } as typeof post,
          storesImages: [photo],
          displaysImages: [photo.name],
          linksToImages: [],
        }),
      ),
    )
    for (let n = 0; n < 5; n += 1)
      await done(store.devices.attach(sampleDevice(n), undefined, by('attach-device')))
    await done(store.notifications.add(sampleNotification(1)))
    await done(store.deliveries.start(SAMPLE_MOMENT, 86_400_000))
    await done(
      store.deliveries.claim({
        now: SAMPLE_MOMENT,
        most: 2,
        first: 'retries',
        except: [],
        isAbandoned: () => true,
      }),
    )
    await done(store.portfolio.replace(samplePortfolio()))
  })
  return credentials
}

/** The entries of an archive by their names; the lists of digests and the end are left out. */
export const entriesIn = (file: string): Promise<ReadonlyMap<string, Buffer>> =>
  withArchive(file, async (archive) => {
    const entries = new Map<string, Buffer>()
    for await (const entry of archive.entries())
      if (!entry.name.startsWith('digests/') && entry.name !== END)
        entries.set(entry.name, await contentOf(entry))
    return entries
  })

/** The entries of an archive as text, by their names. */
export const textsIn = async (file: string): Promise<ReadonlyMap<string, string>> =>
  new Map([...(await entriesIn(file))].map(([name, bytes]) => [name, bytes.toString()]))

/** Rewrites an archive with valid digests: with changed entries, or without the ones for which the change returns nothing. */
export const rewrite = async (
  from: string,
  to: string,
  change: (name: string, bytes: Buffer) => Uint8Array | string | undefined,
): Promise<string> => {
  const entries = await entriesIn(from)
  await writeArchive(to, async (writer) => {
    for (const [name, bytes] of entries) {
      const changed = change(name, bytes)
      if (changed !== undefined) await writer.add(name, Buffer.from(changed))
    }
    return {}
  })
  return to
}

/** The transfer store of a folder's database, and its images. */
export const onTransferStore = async <A>(
  folder: string,
  work: (store: TransferStore, files: ReturnType<typeof folderImageFiles>) => Promise<A>,
): Promise<A> => {
  const engine = await done(openSqlite({ file: join(folder, DEFAULT_DATABASE) }))
  try {
    return await work(makeTransferStore(engine), folderImageFiles(mediaOf(folder)))
  } finally {
    await engine.close()
  }
}

/** The bytes of a stored image. */
export const imageIn = (folder: string, path: string): string =>
  readFileSync(join(mediaOf(folder), path), 'utf8')
