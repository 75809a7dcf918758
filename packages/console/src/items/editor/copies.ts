import { consoleApi, keptApi } from '../../session/api.ts'
import type { ContentType } from '../items.ts'
import type { EditorStart, Saved } from './editor-state.ts'
import { type Fields, fieldNames, fieldsOf } from './fields.ts'
import { baseOf, mergeFields } from './merge.ts'

/** A line of the list of the person's working copies. */
export interface CopySummary {
  /** The id of the item, or `new-` with a UUID. */
  readonly key: string
  readonly contentType: ContentType
  readonly updatedAt: string
  readonly title: string
}

/** Text that a person has typed and not saved, as the server keeps it. */
export interface WorkingCopy {
  readonly fields: Fields
  /** The fields of the version that the text began from. */
  readonly base: Fields
  /** The labels of a new item. */
  readonly labels: ReadonlyArray<string>
  readonly updatedAt: string
}

/** The members of a copy's fields that hold the version that it began from, and the labels of a new item, as JSON. */
const BASE = 'base'
const LABELS = 'labels'

/** Returns the fields of a content type that an object has, as texts. */
const fieldsIn = (contentType: ContentType, stored: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(
    fieldNames(contentType).flatMap((name) => {
      const value = stored[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/** Lists the working copies of the signed-in person. */
export const listCopies = async (signal?: AbortSignal): Promise<ReadonlyArray<CopySummary>> => {
  const { data } = await consoleApi.get('/copies', { ...(signal && { signal }) })
  return data.copies.map(({ copy }) => copy)
}

/** Reads a working copy of a content type. */
export const readCopy = async (contentType: ContentType, key: string): Promise<WorkingCopy> => {
  const { copy } = (await consoleApi.get('/copies/{key}', { path: { key } })).data
  const stored: Readonly<Record<string, string>> = JSON.parse(copy.fields)
  return {
    fields: fieldsIn(contentType, stored),
    base: fieldsIn(contentType, JSON.parse(stored[BASE] ?? '{}')),
    labels: JSON.parse(stored[LABELS] ?? '[]'),
    updatedAt: copy.updatedAt,
  }
}

/** The content of a working copy. */
export interface CopyContent {
  readonly contentType: ContentType
  readonly baseETag: string
  /** The typed fields and the version that they began from, as JSON. */
  readonly fields: string
}

/** Returns the working copy of an editor: the typed fields and the version that they began from, or the labels of a new item. */
export const copyContent = (
  contentType: ContentType,
  { saved, fields, clashes }: EditorStart,
  labels: ReadonlyArray<string> = [],
): CopyContent => {
  const more =
    saved === undefined
      ? { [LABELS]: JSON.stringify(labels) }
      : { [BASE]: JSON.stringify(baseOf(fieldsOf(saved.item), clashes)) }
  return { contentType, baseETag: saved?.etag ?? '', fields: JSON.stringify({ ...fields, ...more }) }
}

/** Whether two contents are the same. */
export const isSameContent = (one: CopyContent | undefined, other: CopyContent | undefined): boolean =>
  one?.fields === other?.fields && one?.baseETag === other?.baseETag

/** Stores a working copy, or deletes it if there is no content. */
export const writeCopy = async (key: string, content: CopyContent | undefined): Promise<void> => {
  if (content === undefined) await keptApi.delete('/copies/{key}', { path: { key } })
  else await keptApi.put('/copies/{key}', { path: { key }, body: content })
}

/** Returns how an editor begins: with the working copy merged into the saved version, if there is a copy. */
export const startOf = (
  saved: Saved | undefined,
  created: Fields,
  copy: WorkingCopy | undefined,
): EditorStart => {
  const fields = saved === undefined ? created : fieldsOf(saved.item)
  if (copy === undefined) return { saved, fields, clashes: [] }
  const mine = { ...fields, ...copy.fields }
  const merged =
    saved === undefined
      ? { fields: mine, clashes: [] }
      : mergeFields({ ...fields, ...copy.base }, fields, mine)
  return { saved, ...merged, labels: copy.labels, restoredAt: copy.updatedAt }
}
