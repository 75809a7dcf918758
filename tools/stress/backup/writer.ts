// A thread of the campaign backup.ts: writes users whose emails tell what was acknowledged before them, and changes images.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { openFolderMediaStore } from '../../../packages/adapters-media/src/index.ts'
import { systemClock } from '../../../packages/adapters-node/src/index.ts'
import { sampleFeedItem } from '../../../packages/domain/contracts/index.ts'
import type { Email, MediaName, StoredImage } from '../../../packages/domain/src/index.ts'
import { openStore } from '../../bench/store.ts'
import { right } from '../either.ts'

interface Given {
  readonly folder: string
  /** Writes acknowledged, by writer. */
  readonly acknowledged: Int32Array
  /** 1 when it is time to end. */
  readonly told: Int32Array
}

const { folder, acknowledged, told } = workerData as Given
/** A writer changes its post's image once in so many writes. */
const IMAGE_EACH = 200

const store = await openStore(join(folder, 'almoner.db'))
const media = await right(openFolderMediaStore({ folder: join(folder, 'media'), clock: systemClock }))

/** Gives a writer's post a new image; the old one goes. */
const changeImage = async (writer: number): Promise<void> => {
  const image: StoredImage = { name: `${randomUUID()}.png` as MediaName, type: 'image/png', bytes: 20_000 }
  await right(media.put(image.name, { type: image.type, bytes: Buffer.alloc(image.bytes, writer) }))
  const { id } = sampleFeedItem(writer)
  const { orphans } = await right(
    store.feedItems.change<never>(id, (item) => ({
      _tag: 'Right',
      right: {
        item: {
          ...item,
          status: 'Draft',
          content: {
            kind: 'photo',
            link: { _tag: 'None' },
            vlink: { _tag: 'None' },
            image: { _tag: 'Some', value: image.name },
          },
        },
        adds: [image],
        shows: [image.name],
        mentions: [],
      },
    })),
  )
  for (const name of orphans) await right(media.remove(name))
}

const write = async (writer: number): Promise<void> => {
  await right(store.feedItems.add({ item: sampleFeedItem(writer), mentions: [] }))
  for (let n = 1; Atomics.load(told, 0) === 0; n += 1) {
    const seen = Array.from(acknowledged, (_, other) => Atomics.load(acknowledged, other))
    const email = `${writer}.${n}.${seen.join('.')}@example.org` as Email
    await right(store.users.prefer(email, { subscribed: true }))
    Atomics.store(acknowledged, writer, n)
    if (n % IMAGE_EACH === 0) await changeImage(writer)
  }
}

await Promise.all(Array.from(acknowledged, (_, writer) => write(writer)))
await store.engine.close()
