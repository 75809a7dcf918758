import { join } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { openFolderMediaStore } from '../../../packages/adapters-media/src/index.ts'
import { systemClock } from '../../../packages/adapters-node/src/index.ts'
import { sampleFeedItem } from '../../../packages/domain/contracts/index.ts'
import type { MediaName, StoredImage } from '../../../packages/domain/src/index.ts'
import { fill } from '../../bench/fill.ts'
import { openStore } from '../../bench/store.ts'
import { right } from '../either.ts'
import { fillDevices } from '../fill-devices.ts'

/** What a house is furnished with. */
export interface Furniture {
  readonly devices: number
  readonly items: number
  readonly images: number
}

const BYTES = 20_000

/** Furnishes a service on SQLite and a folder: readers with their devices, library items, and posts with images. */
export const furnish = async (folder: string, { devices, items, images }: Furniture): Promise<void> => {
  const file = join(folder, 'almoner.db')
  await fill(file, items)
  await fillDevices(file, devices)
  const store = await openStore(file)
  const media = await right(openFolderMediaStore({ folder: join(folder, 'media'), clock: systemClock }))
  for (let n = 0; n < images; n += 1) {
    const image: StoredImage = {
      name: `image-of-the-campaign-${String(n).padStart(6, '0')}.png` as MediaName,
      type: 'image/png',
      bytes: BYTES,
    }
    await right(media.put(image.name, { type: image.type, bytes: Buffer.alloc(BYTES, n) }))
    const item = sampleFeedItem(n)
    await right(store.feedItems.add({ item, mentions: [] }))
    const content = { kind: 'photo', link: O.none, vlink: O.none, image: O.some(image.name) } as const
    await right(
      store.feedItems.change<never>(item.id, () => ({
        _tag: 'Right',
        right: {
          item: { ...item, status: 'Draft', content },
          adds: [image],
          shows: [image.name],
          mentions: [],
        },
      })),
    )
  }
  await store.engine.close()
}
