import assert from 'node:assert/strict'
import { seeItem } from './items.ts'
import {
  type Asker,
  type ContentType,
  isSeen,
  type Model,
  type ModelItem,
  ordered,
  type Real,
  type Request,
  send,
} from './model.ts'

/** Parameters of a list as they are sent. */
export interface Asked {
  readonly lim: string | undefined
  readonly offset: string | undefined
  readonly lang: string | undefined
  readonly itemType: string | undefined
}

const isNumber = (text: string): boolean => /^\d+$/.test(text) && Number(text) <= 2_147_483_647

/** B4: returns the errors of a page request; without `lim`, `offset` is ignored. */
export const pageFaults = ({ lim, offset }: Pick<Asked, 'lim' | 'offset'>): ReadonlyArray<number> => {
  if (lim === undefined) return []
  const wrong = !isNumber(lim) || Number(lim) === 0 || (offset !== undefined && !isNumber(offset))
  return wrong ? [400] : []
}

/** The part of a whole that a page shows. */
export const pageOf = <A>(
  whole: ReadonlyArray<A>,
  { lim, offset = '0' }: Pick<Asked, 'lim' | 'offset'>,
): ReadonlyArray<A> => (lim === undefined ? whole : whole.slice(Number(offset), Number(offset) + Number(lim)))

const LANGS = ['en', 'fr']

const wrongFilter = (contentType: ContentType, { lang, itemType }: Asked): boolean =>
  (lang !== undefined && !LANGS.includes(lang.toLowerCase())) ||
  (contentType === 'feed' && itemType !== undefined && !['photo', 'link', 'vlink'].includes(itemType))

/** What a caller should see of a content type, in its order. */
const expected = (
  m: Model,
  contentType: ContentType,
  asker: Asker,
  { lang, itemType }: Asked,
): ReadonlyArray<ModelItem> =>
  ordered(
    m.items.filter(
      (item) =>
        item.contentType === contentType &&
        isSeen(item, asker) &&
        (lang === undefined || item.lang === lang.toLowerCase()) &&
        (contentType === 'library' || itemType === undefined || item.type === itemType),
    ),
  )

const seenIn = (body: unknown): ReadonlyArray<Readonly<Record<string, string>>> =>
  (body as { items: ReadonlyArray<{ item: Readonly<Record<string, string>> }> }).items.map(({ item }) => item)

const nextOf = (headers: Headers): string | undefined => {
  const address = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  if (address === undefined) return undefined
  const { pathname, search } = new URL(address)
  return `${pathname}${search}`
}

/** Lists a content type, and where a page has a next one follows it to the end (C11). */
export const runList = async (
  m: Model,
  real: Real,
  contentType: ContentType,
  asker: Asker,
  asked: Asked,
): Promise<void> => {
  const faults = wrongFilter(contentType, asked) ? [400] : pageFaults(asked)
  const request: Request = { asker, method: 'GET', path: `/${contentType}/`, fields: { ...asked } }
  const answer = await send(m, real, request, 1, faults)
  if (answer === undefined) return
  const whole = expected(m, contentType, asker, asked)
  const items = seenIn(answer.body)
  const page = pageOf(whole, asked)
  assert.deepEqual(
    items.map((item) => item['itemId']),
    page.map(({ id }) => id),
    'C3, B4',
  )
  for (const [at, item] of page.entries()) seeItem(item, items[at] ?? {})
  const seen = items.map((item) => item['itemId'])
  let next = nextOf(answer.headers)
  while (next !== undefined) {
    assert.equal(seen.length % Number(asked.lim), 0, 'C11: a page with a next page is full')
    const more = await send(m, real, { asker, method: 'GET', path: next }, 1, [])
    const found = seenIn(more?.body).map((item) => item['itemId'])
    assert.notEqual(found.length, 0, 'C11: a next page is not empty')
    seen.push(...found)
    next = more === undefined ? undefined : nextOf(more.headers)
  }
  const start = asked.lim === undefined ? 0 : Number(asked.offset ?? 0)
  assert.deepEqual(
    seen,
    whole.slice(start).map(({ id }) => id),
    'C11: each visible item exactly once',
  )
}
