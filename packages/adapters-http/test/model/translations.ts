import assert from 'node:assert/strict'
import { type Asker, isSeen, type Model, type ModelItem, ordered, type Real, send } from './model.ts'

interface Shown {
  readonly translation: { readonly updatedAt: string } | null
}

/** J4, J7: a counterpart as it is shown, or null. */
const seeCounterpart = ({ translation }: Shown, counterpart: ModelItem | undefined): void => {
  const { updatedAt, ...rest } = translation ?? { updatedAt: undefined }
  if (counterpart === undefined) {
    assert.equal(translation, null)
    return
  }
  const { id, lang, status, createdAt } = counterpart
  assert.deepEqual(rest, { itemId: id, lang, status })
  assert.ok(Date.parse(updatedAt ?? '') >= createdAt)
}

const unlink = (item: ModelItem): void => {
  if (item.counterpart !== undefined) item.counterpart.counterpart = undefined
  item.counterpart = undefined
}

const pathOf = (item: ModelItem | undefined): string => `/library/${item?.id ?? 'unknown'}/translation`

/** J7: an unknown item or counterpart is 404, one in the same language 400. Earlier links of both end. */
export const runLink = async (
  m: Model,
  real: Real,
  item: ModelItem | undefined,
  counterpart: ModelItem | undefined,
  asker: Asker,
): Promise<void> => {
  const isUnknown = item === undefined || counterpart === undefined
  const faults = isUnknown ? [404] : item.lang === counterpart.lang ? [400] : []
  const fields = { counterpartId: counterpart?.id ?? 'unknown' }
  const answer = await send(m, real, { asker, method: 'PUT', path: pathOf(item), fields }, 3, faults)
  if (answer === undefined || isUnknown) return
  unlink(item)
  unlink(counterpart)
  item.counterpart = counterpart
  counterpart.counterpart = item
  seeCounterpart(answer.body as Shown, counterpart)
}

/** J7: removes a link from either side; 404 without one. */
export const runUnlink = async (
  m: Model,
  real: Real,
  item: ModelItem | undefined,
  asker: Asker,
): Promise<void> => {
  const faults = item?.counterpart === undefined ? [404] : []
  const answer = await send(m, real, { asker, method: 'DELETE', path: pathOf(item) }, 3, faults)
  if (answer === undefined || item === undefined) return
  seeCounterpart(answer.body as Shown, undefined)
  unlink(item)
}

/** J4: each visible item has its counterpart, or null where the caller may not see that. */
export const runCounterparts = async (m: Model, real: Real, asker: Asker): Promise<void> => {
  const fields = { include: 'translation' }
  const answer = await send(m, real, { asker, method: 'GET', path: '/library/', fields }, 1, [])
  if (answer === undefined) return
  const { items } = answer.body as { items: ReadonlyArray<{ item: Shown }> }
  const expected = ordered(m.items.filter((item) => item.contentType === 'library' && isSeen(item, asker)))
  assert.equal(items.length, expected.length)
  for (const [at, { counterpart }] of expected.entries()) {
    const isShown = counterpart !== undefined && isSeen(counterpart, asker)
    seeCounterpart(items[at]?.item ?? { translation: null }, isShown ? counterpart : undefined)
  }
}
