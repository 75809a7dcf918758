// A thread of backup.ts: writes users whose emails name the writes that were acknowledged before them, and changes images.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import type { MediaName } from '@almoner/domain/media'
import type { Email } from '@almoner/domain/values'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { openStore } from '../bench/store.ts'
import { makeIllustrator } from './illustrate.ts'

/** `acknowledged` counts the writes of each writer; `isOver` holds 1 at the end. */
const { folder, acknowledged, isOver } = workerData as {
  readonly folder: string
  readonly acknowledged: Int32Array
  readonly isOver: Int32Array
}
/** Writes between two changes of an image. */
const IMAGE_EACH = 200

const store = await openStore(join(folder, 'almoner.db'))
const { addPost, illustrate } = await makeIllustrator(folder, store)

const write = async (writer: number): Promise<void> => {
  await addPost(writer)
  for (let n = 1; Atomics.load(isOver, 0) === 0; n += 1) {
    const seen = Array.from(acknowledged, (_, other) => Atomics.load(acknowledged, other))
    const email = `${writer}.${n}.${seen.join('.')}@example.org` as Email
    await done(store.users.prefer(email, { subscribed: true }))
    Atomics.store(acknowledged, writer, n)
    if (n % IMAGE_EACH === 0) await illustrate(writer, `${randomUUID()}.png` as MediaName)
  }
}

await Promise.all(Array.from(acknowledged, (_, writer) => write(writer)))
await store.engine.close()
