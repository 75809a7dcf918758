import { CONTENT_TYPES } from '@almoner/domain/history'
import { type CopySummary, type WorkingCopy, writeFields } from '@almoner/domain/managers'
import { toRfc3339 } from '@almoner/domain/values'
import * as t from 'io-ts'
import { literals, under } from './codecs.ts'

const COMMON = { key: t.string, contentType: literals(CONTENT_TYPES), updatedAt: t.string }

/** A working copy in a list; `baseRevision` is null where the copy began from no item (M7). */
export const CopySummaryJson = under('copy', {
  ...COMMON,
  baseRevision: t.union([t.Int, t.null]),
  title: t.string,
})

/** A working copy with its fields, which are the JSON text of an object of texts (M7). */
export const CopyJson = under('copy', { ...COMMON, baseETag: t.string, fields: t.string })

/** Writes a working copy of a list. */
export const encodeCopySummary =
  (revisionOf: (etag: string) => number | undefined) =>
  ({ key, contentType, baseETag, updatedAt, title }: CopySummary): t.OutputOf<typeof CopySummaryJson> => ({
    copy: {
      key,
      contentType,
      baseRevision: (revisionOf(baseETag) as t.Int | undefined) ?? null,
      updatedAt: toRfc3339(updatedAt),
      title,
    },
  })

/** Writes a working copy. */
export const encodeCopy = ({
  key,
  contentType,
  baseETag,
  fields,
  updatedAt,
}: WorkingCopy): t.OutputOf<typeof CopyJson> => ({
  copy: { key, contentType, baseETag, fields: writeFields(fields), updatedAt: toRfc3339(updatedAt) },
})
