import {
  areSameLabels,
  ITEM_NOT_FOUND,
  type ItemNotFound,
  LABEL_NOT_FOUND,
  type Label,
  type LabelNotFound,
  labelChange,
} from '@almoner/domain/content'
import { CONTENT_TYPES, type ContentType } from '@almoner/domain/history'
import type { Labels } from '@almoner/domain/ports'
import type { ItemId, LabelId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { recordAct } from './history.ts'
import { withReceipt } from './receipts.ts'
import type { Tables } from './tables.ts'

/** Labels in memory. */
export const memoryLabels = (tables: Tables): Labels => {
  const attachedTo = (contentType: ContentType, id: ItemId): ReadonlySet<LabelId> =>
    tables.attached[contentType].get(id) ?? new Set()
  const carriedBy = (contentType: ContentType, id: ItemId): ReadonlyArray<Label> =>
    tables.labels.filter(({ labelId }) => attachedTo(contentType, id).has(labelId))
  const isUsed = (id: LabelId): boolean =>
    CONTENT_TYPES.some((contentType) => [...tables.attached[contentType].values()].some((ids) => ids.has(id)))
  return {
    all: () => TE.fromIO(() => tables.labels),
    ofItem: (contentType, itemId) => TE.fromIO(() => carriedBy(contentType, itemId)),
    ofItems: (contentType, itemIds) =>
      TE.fromIO(() => {
        const carrying = itemIds.map((id) => [id, carriedBy(contentType, id)] as const)
        return new Map(carrying.filter(([, labels]) => labels.length > 0))
      }),
    attach: (contentType, itemId, labelId, receipt, act) => async () =>
      withReceipt(tables, receipt, (): E.Either<ItemNotFound | LabelNotFound, Label> => {
        if (!tables[contentType].has(itemId)) return E.left(ITEM_NOT_FOUND)
        const label = tables.labels.find((candidate) => candidate.labelId === labelId)
        if (label === undefined) return E.left(LABEL_NOT_FOUND)
        const attached = attachedTo(contentType, itemId)
        tables.attached[contentType].set(itemId, new Set([...attached, labelId]))
        if (!attached.has(labelId))
          recordAct(tables, act, { kind: contentType, id: itemId }, [labelChange(null, labelId)])
        return E.right(label)
      }),
    detach: (contentType, itemId, labelId, act) => async () => {
      if (!tables[contentType].has(itemId)) return E.left(ITEM_NOT_FOUND)
      const attached = attachedTo(contentType, itemId)
      if (!attached.has(labelId)) return E.left(LABEL_NOT_FOUND)
      tables.attached[contentType].set(itemId, new Set([...attached].filter((id) => id !== labelId)))
      recordAct(tables, act, { kind: contentType, id: itemId }, [labelChange(labelId, null)])
      return E.right(undefined)
    },
    replaceAll: (labels, act) => async () => {
      const kept = new Set(labels.map(({ labelId }) => labelId))
      const missing = tables.labels.map(({ labelId }) => labelId).filter((id) => !kept.has(id) && isUsed(id))
      if (missing.length > 0) return E.left({ _tag: 'LabelsInUse', labelIds: missing })
      if (!areSameLabels(tables.labels, labels)) recordAct(tables, act, { kind: 'labels', id: '' })
      tables.labels = labels
      return E.right(undefined)
    },
  }
}
