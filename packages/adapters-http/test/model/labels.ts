import assert from 'node:assert/strict'
import { LABELS } from '../support/fixture.ts'
import { type Asker, type ContentType, isSeen, type Model, type ModelItem, type Real, send } from './model.ts'

const known = (labelId: string | undefined) => LABELS.find((one) => one.labelId === labelId)

/** E2: unknown item or label is 404, attaching twice is the same as once. */
export const runAttach = async (
  m: Model,
  real: Real,
  contentType: ContentType,
  item: ModelItem | undefined,
  labelId: string | undefined,
  asker: Asker,
): Promise<void> => {
  const faults =
    labelId === undefined ? [400] : item === undefined || known(labelId) === undefined ? [404] : []
  const path = `/${contentType}/${item?.id ?? 'unknown'}/label`
  const answer = await send(m, real, { asker, method: 'POST', path, fields: { labelId } }, 3, faults)
  if (answer === undefined || item === undefined || labelId === undefined) return
  assert.deepEqual(answer.body, { label: known(labelId) })
  item.labels.add(labelId)
}

/** E2: detaching an unattached label is 404. */
export const runDetach = async (
  m: Model,
  real: Real,
  contentType: ContentType,
  item: ModelItem | undefined,
  labelId: string,
  asker: Asker,
): Promise<void> => {
  const faults = item?.labels.has(labelId) === true ? [] : [404]
  const path = `/${contentType}/${item?.id ?? 'unknown'}/label/${labelId}`
  const answer = await send(m, real, { asker, method: 'DELETE', path }, 3, faults)
  if (answer !== undefined) item?.labels.delete(labelId)
}

/** Lists all labels, the labels of an item, one label, or one label of an item. */
export const runLabels = async (
  m: Model,
  real: Real,
  contentType: ContentType,
  of: { readonly item: ModelItem | undefined } | 'all',
  labelId: string | undefined,
  asker: Asker,
): Promise<void> => {
  const path = of === 'all' ? `/${contentType}/label` : `/${contentType}/${of.item?.id ?? 'unknown'}/label`
  const answer = await send(m, real, { asker, method: 'GET', path, fields: { labelId } }, 1, [])
  if (answer === undefined) return
  const shown = of === 'all' || (of.item !== undefined && isSeen(of.item, asker))
  const expected = LABELS.filter(
    (label) =>
      shown &&
      (labelId === undefined || label.labelId === labelId) &&
      (of === 'all' || of.item?.labels.has(label.labelId) === true),
  )
  assert.deepEqual(
    answer.body,
    expected.map((label) => ({ label })),
    'E1, E2',
  )
}
