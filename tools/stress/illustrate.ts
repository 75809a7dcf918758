import { join } from 'node:path'
import type { MediaName, StoredImage } from '@almoner/domain/media'
import * as O from 'fp-ts/lib/Option.js'
import { openFolderMediaStore } from '../../packages/adapters-media/src/index.ts'
import { systemClock } from '../../packages/adapters-node/src/index.ts'
import { done, sampleFeedItem } from '../../packages/testkit/src/contracts/index.ts'
import type { openStore } from '../bench/store.ts'

const BYTES = 20_000

/** Writes posts and their images past the server, into a database and a folder. */
export const makeIllustrator = async (
  folder: string,
  { feedItems }: Pick<Awaited<ReturnType<typeof openStore>>, 'feedItems'>,
) => {
  const media = await done(openFolderMediaStore({ folder: join(folder, 'media'), clock: systemClock }))
  return {
    addPost: (n: number) => done(feedItems.add({ item: sampleFeedItem(n), linksToImages: [] })),
    /** Gives the n-th post a new image and removes the one before. */
    illustrate: async (n: number, name: MediaName): Promise<void> => {
      const image: StoredImage = { name, type: 'image/png', bytes: BYTES }
      await done(media.put(name, { type: image.type, bytes: Buffer.alloc(BYTES, n) }))
      const content = { kind: 'photo', link: O.none, vlink: O.none, image: O.some(name) } as const
      const change = feedItems.change<never>(sampleFeedItem(n).id, (item) => ({
        _tag: 'Right',
        right: {
          item: { ...item, status: 'Draft', content },
          storesImages: [image],
          displaysImages: [name],
          linksToImages: [],
        },
      }))
      const { orphans } = await done(change)
      for (const orphan of orphans) await done(media.remove(orphan))
    },
  }
}
