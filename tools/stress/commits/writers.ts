import { GREY, PLAIN, pngOf } from '../../../packages/adapters-media/test/corpus/png-file.ts'
import { type Client, createClient } from '../../../packages/client/src/index.ts'

/** What a writer has sent: by title, whether it was acknowledged. */
export type Sent = Map<string, boolean>

/** How a writer sends: with keys and repeats, as `@almoner/client` does, or each request once and without a key. */
export type Manner = 'client' | 'bare'

/** What came of requests, by kind. */
export interface Tally {
  done: number
  failed: number
  longest: number
}

/** An image that the feed takes: black, so that it costs next to nothing. */
const PNG = pngOf({ ...PLAIN, depth: 1, colour: GREY }, Buffer.alloc(0))

const post = (title: string) => ({
  itemType: 'photo' as const,
  itemTitle: title,
  itemDescription: title,
})

const notification = (title: string) => ({ lang: 'en' as const, title, resource_type: 'Library' as const })

/** Takes keys away, so that the service cannot know a request again. */
const bareFetch = (request: Request): Promise<Response> => {
  request.headers.delete('Idempotency-Key')
  return fetch(request)
}

/** Writers that create posts, upload their images, edit them, and create notifications, until they are told to end. */
export const makeWriters = (
  urls: ReadonlyArray<string>,
  credentials: { readonly clientId: string; readonly clientSecret: string },
  isOver: () => boolean,
) => {
  const sent = { posts: new Map() as Sent, notifications: new Map() as Sent, images: new Set<string>() }
  const tallies = new Map<string, Tally>()
  const failures = new Map<string, number>()

  const attempt = async <A>(kind: string, work: () => Promise<A>): Promise<A | undefined> => {
    const tally = tallies.get(kind) ?? { done: 0, failed: 0, longest: 0 }
    tallies.set(kind, tally)
    const begun = performance.now()
    try {
      const result = await work()
      tally.done += 1
      return result
    } catch (cause) {
      tally.failed += 1
      const reason = cause instanceof Error ? cause.message : String(cause)
      failures.set(reason, (failures.get(reason) ?? 0) + 1)
      return undefined
    } finally {
      tally.longest = Math.max(tally.longest, Math.round(performance.now() - begun))
    }
  }

  const round = async (api: Client, manner: Manner, name: string): Promise<void> => {
    const created = await attempt(`posts, ${manner}`, () => api.post('/feed/', { body: post(name) }))
    sent.posts.set(name, created !== undefined)
    if (created !== undefined) {
      const { itemId } = created.data.item
      const file = new Uint8Array(PNG)
      const path = { itemId }
      const image = await attempt(`images, ${manner}`, () =>
        api.upload('/feed/{itemId}/media', { path, file }),
      )
      if (image !== undefined) sent.images.add(itemId)
    }
    const told = await attempt(`notifications, ${manner}`, () =>
      api.post('/notification', { body: notification(name) }),
    )
    sent.notifications.set(name, told !== undefined)
  }

  const write = async (manner: Manner, n: number): Promise<void> => {
    const baseUrl = urls[n % urls.length] ?? ''
    const api = createClient({ baseUrl, credentials, ...(manner === 'bare' && { fetch: bareFetch }) })
    for (let turn = 0; !isOver(); turn += 1) await round(api, manner, `${manner}-${n}-${turn}`)
  }

  return {
    sent,
    failures,
    tallies: () => Object.fromEntries(tallies),
    /** Starts so many writers of each manner; resolves when all have ended. */
    run: (count: number) =>
      Promise.all(Array.from({ length: count }, (_, n) => [write('client', n), write('bare', n)]).flat()),
  }
}
