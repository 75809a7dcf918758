import assert from 'node:assert/strict'
import { fileForm, JPEG, PNG, served } from '../support/uploads.ts'
import {
  type Asker,
  type ContentType,
  type HeldImage,
  isSeen,
  type Model,
  type ModelItem,
  REACH,
  type Real,
  send,
} from './model.ts'

/** An upload: 400 wide and 560 high, of another size, or no image. */
export type File = 'right' | 'small' | 'none'

export type Cursor = 'cover' | 'notification'

const BYTES: Readonly<Record<File, Uint8Array>> = { right: PNG, small: JPEG, none: Buffer.from('no image') }

/** D1: the library takes any size up to its limit, the feed one only. */
const badFile = (contentType: ContentType, file: File): ReadonlyArray<number> => {
  if (file === 'none') return [415]
  return file === 'small' && contentType === 'feed' ? [400] : []
}

/** D4: who may give a feed item an image. */
const rightFaults = (item: ModelItem, asker: Asker): ReadonlyArray<number> => {
  if (asker === 'nobody' || REACH[asker] === 3) return []
  if (item.status === 'Draft' && item.image === undefined) return []
  return isSeen(item, asker) ? [403] : [404]
}

const pathOf = (contentType: ContentType, item: ModelItem | undefined, place: Cursor): string =>
  `/${contentType}/${item?.id ?? 'unknown'}/media${contentType === 'library' ? `/${place}` : ''}`

/** D5: returns whether an item still references a URL. */
const isShown = (m: Model, url: string): boolean =>
  m.items.some(({ cover, notification, image }) =>
    [cover, notification, image].some((held) => held?.url === url),
  )

/** D5: files without references are deleted. */
const seeGone = async (m: Model, { fixture }: Real, before: HeldImage | undefined): Promise<void> => {
  const url = before?.url
  if (url === undefined || !url.includes('/static/media/') || isShown(m, url)) return
  assert.equal((await served(fixture, url)).status, 404, 'D5: a replaced or removed image')
}

export const runUpload = async (
  m: Model,
  real: Real,
  contentType: ContentType,
  item: ModelItem | undefined,
  { place, file }: { readonly place: Cursor; readonly file: File },
  asker: Asker,
): Promise<void> => {
  const rights = item === undefined ? [404] : contentType === 'feed' ? rightFaults(item, asker) : []
  const multipart = fileForm({ bytes: BYTES[file] })
  const request = { asker, method: 'POST', path: pathOf(contentType, item, place), multipart }
  const answer = await send(m, real, request, contentType === 'library' ? 3 : 1, [
    ...rights,
    ...badFile(contentType, file),
  ])
  if (answer === undefined || item === undefined) return
  const slot = contentType === 'library' ? place : 'image'
  const before = item[slot]
  item[slot] = { url: undefined }
  item.tagged = false
  if (contentType === 'feed') item[slot] = { url: String(answer.body) }
  else assert.equal(answer.body, undefined, 'D3: an empty body')
  await seeGone(m, real, before)
}

/** C8: an image that a Live item needs stays. */
const isNeeded = ({ contentType, status, type, link }: ModelItem): boolean =>
  status === 'Live' && (contentType === 'library' || (type === 'photo' && link === ''))

export const runRemove = async (
  m: Model,
  real: Real,
  contentType: ContentType,
  item: ModelItem | undefined,
  place: Cursor,
  asker: Asker,
): Promise<void> => {
  const slot = contentType === 'library' ? place : 'image'
  const isThere = item?.[slot] !== undefined
  const faults = item === undefined || !isThere ? [404] : isNeeded(item) ? [409] : []
  const answer = await send(
    m,
    real,
    { asker, method: 'DELETE', path: pathOf(contentType, item, place) },
    3,
    faults,
  )
  if (answer === undefined || item === undefined) return
  const before = item[slot]
  item[slot] = undefined
  item.tagged = false
  if (contentType === 'feed') assert.equal(answer.body, undefined, 'D3: an empty body')
  else if (item.cover?.url !== undefined || item.cover === undefined)
    assert.equal(answer.body, item.cover?.url ?? '', 'D3')
  await seeGone(m, real, before)
}
