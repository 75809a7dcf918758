import { ApiError } from '@almoner/client'
import { callConsole } from '../../app/api.ts'
import type { ContentType } from '../items.ts'
import type { EditorStart, Saved } from './editor-state.ts'
import { type Fields, fieldNames, fieldsOf } from './fields.ts'
import { baseOf, type Clash, mergeFields } from './merge.ts'

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
  readonly updatedAt: string
}

/** The member of a copy's fields that holds the version that it began from, as JSON. */
const BASE = 'base'

const pathOf = (key: string): string => `/copies/${encodeURIComponent(key)}`

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
  const { data } = await callConsole<{ copies: ReadonlyArray<{ copy: CopySummary }> }>('GET', '/copies', {
    ...(signal && { signal }),
  })
  return data.copies.map(({ copy }) => copy)
}

/** Reads a working copy of a content type. */
export const readCopy = async (contentType: ContentType, key: string): Promise<WorkingCopy> => {
  const { data } = await callConsole<{ copy: { fields: string; updatedAt: string } }>('GET', pathOf(key))
  const { copy } = data
  const stored: Readonly<Record<string, string>> = JSON.parse(copy.fields)
  return {
    fields: fieldsIn(contentType, stored),
    base: fieldsIn(contentType, JSON.parse(stored[BASE] ?? '{}')),
    updatedAt: copy.updatedAt,
  }
}

/** Returns what is stored for an editor: the typed fields, and the version that they began from. */
export const copyContent = (
  contentType: ContentType,
  saved: Saved | undefined,
  fields: Fields,
  clashes: ReadonlyArray<Clash>,
): string => {
  const base = saved === undefined ? {} : { [BASE]: JSON.stringify(baseOf(fieldsOf(saved.item), clashes)) }
  return JSON.stringify({
    contentType,
    baseETag: saved?.etag ?? '',
    fields: JSON.stringify({ ...fields, ...base }),
  })
}

/** The most bytes that a browser sends after its page has been closed. */
const MOST_KEPT_ALIVE = 60_000

/** Stores a working copy, or deletes it if there is no content. A copy that is gone already counts as deleted. */
export const writeCopy = async (key: string, content: string | undefined): Promise<void> => {
  if (content !== undefined) {
    const keepalive = content.length * 3 < MOST_KEPT_ALIVE
    await callConsole('PUT', pathOf(key), { body: JSON.parse(content), keepalive })
    return
  }
  await callConsole('DELETE', pathOf(key), { keepalive: true }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  })
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
  return { saved, ...merged, restoredAt: copy.updatedAt }
}
