import type { ItemCore } from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import { LRUCache } from 'lru-cache'
import type { Extension } from '../extension.ts'
import { copyOutOfPool } from '../responses/copy-out-of-pool.ts'
import { renderItems } from '../routes/item-responses.ts'
import type { RenderedItem } from '../services.ts'

/** Bytes for each kind of item: some 4,000 items of usual size, each as text and as bytes. */
const SIZE = 16 * 1024 * 1024

/**
 * Caches items as JSON, by identifier, revision and time of the change: a write raises the revision, and a database that was restored
 * and written again has the same revision at another time.
 */
export const cacheItems = (size = SIZE) => {
  const newCache = () =>
    new LRUCache<string, RenderedItem>({
      maxSize: size,
      sizeCalculation: ({ bytes }) => 2 * bytes.length,
    })
  const caches = { library: newCache(), feed: newCache() }
  return <A extends Pick<ItemCore, 'id' | 'revision' | 'updatedAt'>>(
    contentType: ContentType,
    render: (item: A) => string,
  ) => {
    const cache = caches[contentType]
    const make = renderItems(contentType, render)
    return (item: A): RenderedItem => {
      const key = `${item.id} ${item.revision} ${item.updatedAt}`
      const known = cache.get(key)
      if (known !== undefined) return known
      const { text, bytes } = make(item)
      const rendered = { text, bytes: copyOutOfPool(bytes) }
      cache.set(key, rendered)
      return rendered
    }
  }
}

/** Caches items as JSON, so that pages and single items are not rendered again (ADR 37). */
export const itemCache =
  (size?: number): Extension =>
  (_app, services) => ({ ...services, renderItems: cacheItems(size) })
