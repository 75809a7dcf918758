import assert from 'node:assert/strict'
import { type Asker, isSeen, type Model, type ModelItem, ordered, type Real, send } from './model.ts'

interface Shown {
  readonly translation: { readonly updatedAt: string } | null
  readonly older?: boolean | null
}

const textOf = ({ title, description }: ModelItem): string => JSON.stringify([title, description])

/** J8: its own text equals the base, and that of its counterpart does not. */
const isOlder = (item: ModelItem): boolean =>
  item.counterpart !== undefined &&
  textOf(item) === item.base &&
  textOf(item.counterpart) !== item.counterpart.base

/** J8: the texts that both have now are their base. */
const bringInStep = (item: ModelItem): void => {
  item.base = textOf(item)
  if (item.counterpart !== undefined) item.counterpart.base = textOf(item.counterpart)
}

/** J8: changes an item; a change of the text of the older side brings the pair in step. */
export const changeText = (item: ModelItem, change: () => void): void => {
  const [wasOlder, before] = [isOlder(item), textOf(item)]
  change()
  if (wasOlder && textOf(item) !== before) bringInStep(item)
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
  // J8: linking a pair again changes nothing.
  if (item.counterpart !== counterpart) {
    unlink(item)
    unlink(counterpart)
    item.counterpart = counterpart
    counterpart.counterpart = item
    bringInStep(item)
  }
  seeCounterpart(answer.body as Shown, counterpart)
}

/** J8: brings a pair in step; 404 without one, 400 if it is not said by `true`. */
export const runConfirm = async (
  m: Model,
  real: Real,
  item: ModelItem | undefined,
  upToDate: string,
  asker: Asker,
): Promise<void> => {
  const counterpart = item?.counterpart
  const isBad = upToDate !== 'true'
  const faults = isBad ? [400] : counterpart === undefined ? [404] : []
  const request = { asker, method: 'PUT', path: pathOf(item), fields: { upToDate } }
  const answer = await send(m, real, request, 3, faults)
  if (answer === undefined || item === undefined) return
  bringInStep(item)
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

/** J4, J8: each visible item has its counterpart and whether it is older, or null where the caller may not see that. */
export const runCounterparts = async (m: Model, real: Real, asker: Asker): Promise<void> => {
  const fields = { include: 'translation,older' }
  const answer = await send(m, real, { asker, method: 'GET', path: '/library/', fields }, 1, [])
  if (answer === undefined) return
  const { items } = answer.body as { items: ReadonlyArray<{ item: Shown }> }
  const expected = ordered(m.items.filter((item) => item.contentType === 'library' && isSeen(item, asker)))
  assert.equal(items.length, expected.length)
  for (const [at, item] of expected.entries()) {
    const { counterpart } = item
    const isShown = counterpart !== undefined && isSeen(counterpart, asker)
    const shown = items[at]?.item ?? { translation: null }
    seeCounterpart(shown, isShown ? counterpart : undefined)
    assert.equal(shown.older, isShown ? isOlder(item) : null)
  }
}
