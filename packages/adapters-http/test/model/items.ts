import assert from 'node:assert/strict'
import fc from 'fast-check'
import { BASE_URL } from '../support/fixture.ts'
import { kept, langOf, restrictedBy, SAMPLES, type Sample } from './fields.ts'
import {
  type ContentType,
  type HeldImage,
  isSeen,
  type Model,
  type ModelItem,
  type Real,
  type Request,
  send,
  today,
} from './model.ts'
import { changeText } from './translations.ts'

type Samples = Readonly<Record<string, Sample>>

const fieldsOf = (samples: Samples) =>
  Object.fromEntries(Object.entries(samples).map(([name, { sent }]) => [name, sent]))

const sentIn = (samples: Samples, name: string): string | undefined => samples[name]?.sent

/** What was sent and is not the empty text (B2). */
const valueIn = (samples: Samples, name: string): string | undefined => {
  const sent = sentIn(samples, name)
  return sent === '' ? undefined : sent
}

const anyBad = (samples: Samples): boolean => Object.values(samples).some(({ valid }) => !valid)

/** The interface's tables of POST /feed/: a link needs `link`, a video link needs `vlink`. */
const lacksLink = (samples: Samples): boolean => {
  const type = sentIn(samples, 'itemType')
  return (type === 'link' || type === 'vlink') && valueIn(samples, type) === undefined
}

/** D2, D3: what an upload's address looks like. */
const UPLOADED = new RegExp(`^${BASE_URL}/static/media/[\\w-]{20,}\\.(?:png|jpg)$`)

const seeImage = (held: HeldImage | undefined, shown: string | undefined): void => {
  if (held !== undefined && held.url === undefined) {
    assert.match(shown ?? '', UPLOADED)
    held.url = shown
  }
  assert.equal(shown, held?.url ?? '')
}

type Shown = Readonly<Record<string, string>>

/** C2: every field of an item, as it is answered. */
export const seeItem = (item: ModelItem, shown: Shown): void => {
  const { itemRelatedLink, createdAt, updatedAt, coverImgUrl, notificationImgUrl, ...rest } = shown
  if (item.contentType === 'library') {
    seeImage(item.cover, coverImgUrl)
    seeImage(item.notification, notificationImgUrl)
    assert.equal(itemRelatedLink, coverImgUrl, 'D3')
  } else seeImage(item.image, itemRelatedLink)
  assert.deepEqual(rest, {
    itemId: item.id,
    isDonorRestricted: item.restricted ? '1' : '0',
    lang: item.lang,
    itemTitle: item.title,
    itemDescription: item.description,
    link: item.link,
    status: item.status,
    ...(item.contentType === 'library'
      ? { itemPublicationDate: item.day }
      : { itemType: item.type, vlink: item.vlink }),
  })
  assert.equal(Date.parse(createdAt ?? ''), item.createdAt)
  assert.ok(Date.parse(updatedAt ?? '') >= Date.parse(createdAt ?? ''))
}

const noteTag = (item: ModelItem, headers: Headers): void => {
  const tag = headers.get('etag') ?? ''
  assert.ok(!item.tags.includes(tag), 'C10: another ETag after a change')
  item.tags.push(tag)
  item.tagged = true
}

/** A command that creates an item. */
export const createItem = (contentType: ContentType): fc.Arbitrary<Samples> =>
  fc.record<Samples>({
    itemTitle: SAMPLES.itemTitle,
    itemDescription: SAMPLES.itemDescription,
    isDonorRestricted: SAMPLES.isDonorRestricted,
    lang: SAMPLES.lang,
    ...(contentType === 'library'
      ? { link: SAMPLES.link, itemPublicationDate: SAMPLES.itemPublicationDate }
      : { link: SAMPLES.optionalLink, vlink: SAMPLES.vlink, itemType: SAMPLES.itemType }),
  })

/** Returns the Draft that a request creates. */
const newItem = (m: Model, contentType: ContentType, samples: Samples, id: string): ModelItem => {
  const text = (name: string) => sentIn(samples, name) ?? ''
  return {
    contentType,
    id,
    rank: m.items.length,
    createdAt: m.now,
    status: 'Draft',
    restricted: restrictedBy(sentIn(samples, 'isDonorRestricted')) ?? false,
    lang: langOf(sentIn(samples, 'lang')) ?? 'en',
    title: kept(text('itemTitle')),
    description: kept(text('itemDescription')),
    link: text('link'),
    vlink: text('vlink'),
    type: text('itemType'),
    day: text('itemPublicationDate'),
    cover: undefined,
    notification: undefined,
    image: undefined,
    labels: new Set(),
    counterpart: undefined,
    base: undefined,
    tags: [],
    tagged: false,
  }
}

export const runCreate = async (
  m: Model,
  real: Real,
  contentType: ContentType,
  samples: Samples,
  how: Pick<Request, 'asker' | 'encoding'>,
) => {
  const faults = anyBad(samples) || (contentType === 'feed' && lacksLink(samples)) ? [400] : []
  const request = { ...how, method: 'POST', path: `/${contentType}/`, fields: fieldsOf(samples) }
  const answer = await send(m, real, request, contentType === 'library' ? 3 : 2, faults)
  if (answer === undefined) return
  const body = answer.body as { item: Shown; items: ReadonlyArray<{ item: Shown }> }
  // C1: the library answers a collection of one.
  const shown = contentType === 'library' ? (body.items[0]?.item ?? {}) : body.item
  const item = newItem(m, contentType, samples, shown['itemId'] ?? '')
  seeItem(item, shown)
  noteTag(item, answer.headers)
  m.items.push(item)
}

/** A command that updates an item. */
export const updateItem = (contentType: ContentType): fc.Arbitrary<Samples> =>
  fc.record<Samples>({
    itemTitle: SAMPLES.itemTitle,
    itemDescription: SAMPLES.itemDescription,
    isDonorRestricted: SAMPLES.isDonorRestricted,
    lang: SAMPLES.lang,
    status: SAMPLES.status,
    ...(contentType === 'library'
      ? {
          link: SAMPLES.link,
          itemPublicationDate: fc.oneof(
            SAMPLES.itemPublicationDate,
            fc.constant({ sent: undefined, valid: true }),
          ),
          coverImgUrl: SAMPLES.image,
          notificationImgUrl: SAMPLES.image,
        }
      : { link: SAMPLES.optionalLink, vlink: SAMPLES.vlink, itemType: SAMPLES.itemType }),
  })

type Part = Partial<ModelItem>

/** C6: an image that was given, was given empty, or stays; a date that was given, is today, or stays. */
const updatedLibrary = (m: Model, item: ModelItem, samples: Samples, status: string): Part => {
  const image = (name: string, held: HeldImage | undefined): HeldImage | undefined => {
    const sent = sentIn(samples, name)
    if (sent === undefined) return held
    return sent === '' ? undefined : { url: sent }
  }
  return {
    link: sentIn(samples, 'link') ?? '',
    day: valueIn(samples, 'itemPublicationDate') ?? (status === 'Draft' ? item.day : today(m)),
    cover: image('coverImgUrl', item.cover),
    notification: image('notificationImgUrl', item.notification),
  }
}

/** C7: what was not sent stays while the type does. */
const updatedFeed = (item: ModelItem, samples: Samples): Part => {
  const type = sentIn(samples, 'itemType') ?? ''
  const held = type === item.type ? item : { link: '', vlink: '' }
  return {
    type,
    link: valueIn(samples, 'link') ?? held.link,
    vlink: valueIn(samples, 'vlink') ?? held.vlink,
  }
}

/** What an item would hold after an update. */
const updated = (m: Model, item: ModelItem, samples: Samples): ModelItem => {
  const status = sentIn(samples, 'status') as ModelItem['status']
  return {
    ...item,
    status,
    restricted: restrictedBy(sentIn(samples, 'isDonorRestricted')) ?? item.restricted,
    lang: langOf(sentIn(samples, 'lang')) ?? item.lang,
    title: kept(sentIn(samples, 'itemTitle') ?? ''),
    description: kept(sentIn(samples, 'itemDescription') ?? ''),
    ...(item.contentType === 'library'
      ? updatedLibrary(m, item, samples, status)
      : updatedFeed(item, samples)),
  }
}

/** C6, C7: what being Live needs. */
const isPublishable = ({ contentType, cover, notification, type, link, image }: ModelItem): boolean =>
  contentType === 'library'
    ? cover !== undefined && notification !== undefined
    : type !== 'photo' || link !== '' || image !== undefined

/** Which ETag an update shows: none, that of now, one of before, or one that never was. */
export type Match = 'none' | 'now' | 'before' | 'other' | 'any'

const matchOf = (item: ModelItem | undefined, match: Match): { header: object; stale: boolean } => {
  const [now, before] = [item?.tags.at(-1), item?.tags.at(-2)]
  switch (match) {
    case 'none':
      return { header: {}, stale: false }
    case 'any':
      return { header: { 'if-match': '*' }, stale: false }
    case 'now':
      return now === undefined
        ? { header: {}, stale: false }
        : { header: { 'if-match': now }, stale: item?.tagged === false }
    case 'before':
      return before === undefined
        ? { header: {}, stale: false }
        : { header: { 'if-match': before }, stale: true }
    case 'other':
      return { header: { 'if-match': '"never"' }, stale: true }
  }
}

const LIVE_NEEDS = ['coverImgUrl', 'notificationImgUrl']

/** J7: the language of a linked item stays. */
const isLanguageBound = (item: ModelItem, next: ModelItem): boolean =>
  item.counterpart !== undefined && next.lang !== item.lang

const faultsOf = (
  m: Model,
  item: ModelItem | undefined,
  samples: Samples,
  stale: boolean,
): ReadonlyArray<number> => {
  const isLive = sentIn(samples, 'status') === 'Live'
  const emptied = LIVE_NEEDS.some((name) => isLive && sentIn(samples, name) === '')
  const bad = anyBad(samples) || emptied || (sentIn(samples, 'itemType') !== undefined && lacksLink(samples))
  if (item === undefined) return bad ? [400, 404] : [404]
  const illegal = item.status === 'Archived' && isLive
  const next = updated(m, item, samples)
  return [
    ...(bad || (isLive && !isPublishable(next)) ? [400] : []),
    ...(illegal || isLanguageBound(item, next) ? [409] : []),
    ...(stale ? [412] : []),
  ]
}

export const runUpdate = async (
  m: Model,
  real: Real,
  contentType: ContentType,
  item: ModelItem | undefined,
  samples: Samples,
  match: Match,
  how: Pick<Request, 'asker' | 'encoding'>,
) => {
  const { header, stale } = matchOf(item, match)
  const request = {
    ...how,
    method: 'POST',
    path: `/${contentType}/${item?.id ?? 'unknown'}`,
    fields: fieldsOf(samples),
    headers: header as Readonly<Record<string, string>>,
  }
  const answer = await send(m, real, request, 3, faultsOf(m, item, samples, stale))
  if (answer === undefined || item === undefined) return
  changeText(item, () => Object.assign(item, updated(m, item, samples)))
  seeItem(item, (answer.body as { item: Shown }).item)
  noteTag(item, answer.headers)
}

/** GET by path: a visible item is a collection of one, everything else an empty one (C4). */
export const runGet = async (
  m: Model,
  real: Real,
  contentType: ContentType,
  item: ModelItem | undefined,
  asker: Request['asker'],
) => {
  const answer = await send(
    m,
    real,
    { asker, method: 'GET', path: `/${contentType}/${item?.id ?? 'unknown'}` },
    1,
    [],
  )
  if (answer === undefined) return
  const { items } = answer.body as { items: ReadonlyArray<{ item: Shown }> }
  if (item === undefined || !isSeen(item, asker)) {
    assert.deepEqual([items, answer.headers.get('etag')], [[], null])
    return
  }
  assert.equal(items.length, 1)
  seeItem(item, items[0]?.item ?? {})
  if (item.tagged) assert.equal(answer.headers.get('etag'), item.tags.at(-1), 'C10')
  else noteTag(item, answer.headers)
  const again = await real.fixture.call('GET', `/${contentType}/${item.id}`, {
    headers: {
      authorization: `Bearer ${real.tokens.get(asker as never)}`,
      'if-none-match': item.tags.at(-1) ?? '',
    },
  })
  assert.equal(again.status, 304, 'C10')
}
