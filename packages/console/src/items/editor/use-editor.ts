import { ApiError, type FieldError } from '@almoner/client'
import { useReducer, useRef } from 'react'
import { changes } from '../../app/changes.ts'
import type { ContentType, Item, Status } from '../items.ts'
import { createItem, readItem, updateItem } from '../items-api.ts'
import { type Clash, type FieldName, type Fields, fieldsOf, haveChanged, mergeFields } from './fields.ts'

/** The version of the item that the editor began from. */
export interface Saved {
  readonly item: Item
  readonly etag: string | undefined
}

/** The state of an editor. */
export interface EditorState {
  readonly saved: Saved | undefined
  readonly fields: Fields
  /** The act that is under way. */
  readonly busy: Status | undefined
  /** The act that the server refused, and all its reasons. */
  readonly refused: Status | undefined
  readonly errors: ReadonlyArray<FieldError>
  readonly clashes: ReadonlyArray<Clash>
  readonly failure: unknown
}

type Change = Partial<EditorState> | ((state: EditorState) => Partial<EditorState>)

const reduce = (state: EditorState, change: Change): EditorState => ({
  ...state,
  ...(typeof change === 'function' ? change(state) : change),
})

/** The editor of one item, with its acts. */
export interface Editor {
  readonly state: EditorState
  readonly isDirty: boolean
  readonly setField: (field: FieldName, value: string) => void
  /** Settles a clash: with the other person's text, or with the typed one. */
  readonly settle: (clash: Clash, choice: 'mine' | 'theirs') => void
  /** Saves with a status. Resolves to whether the server accepted it. */
  readonly save: (status: Status) => Promise<boolean>
  /** Reads the item again after its images have changed, and keeps what is typed. */
  readonly refresh: () => Promise<void>
  /** Shows errors, such as those of an image. */
  readonly fail: (error: unknown) => void
}

/** Runs after a new item has been created, before it is saved with another status than Draft. */
export type AfterCreate = (itemId: string, etag: string | undefined) => Promise<void>

const isStale = (error: unknown): boolean => error instanceof ApiError && error.status === 412

/** Returns the editor of an item, or of a new one. */
export const useEditor = (
  contentType: ContentType,
  saved: Saved | undefined,
  fields: Fields,
  afterCreate: AfterCreate,
): Editor => {
  const [state, change] = useReducer(reduce, {
    saved,
    fields,
    busy: undefined,
    refused: undefined,
    errors: [],
    clashes: [],
    failure: undefined,
  })
  const start = useRef(fields)
  const current = useRef(state)
  current.current = state

  /** Takes a newer version over and keeps the typed changes. Returns the fields that both sides have changed. */
  const take = (next: Saved): { readonly saved: Saved; readonly merged: ReturnType<typeof mergeFields> } => {
    const { saved: before, fields: mine } = current.current
    const base = before === undefined ? mine : fieldsOf(before.item)
    const merged = mergeFields(base, fieldsOf(next.item), mine)
    change({ saved: next, fields: merged.fields, clashes: merged.clashes })
    return { saved: next, merged }
  }

  const reread = async (itemId: string) => {
    const { data, etag } = await readItem(contentType, itemId)
    return data === undefined ? undefined : take({ item: data, etag })
  }

  const create = async (): Promise<Saved | undefined> => {
    const { data, etag } = await createItem(contentType, current.current.fields)
    if (data === undefined) return undefined
    change({ saved: { item: data, etag } })
    await afterCreate(data.itemId, etag)
    return (await reread(data.itemId))?.saved
  }

  /** Updates the item. If it has changed meanwhile, merges, and tries again unless both sides changed one field. */
  const update = async (base: Saved, body: Fields, status: Status): Promise<Saved | undefined> => {
    const { itemId } = base.item
    try {
      const { data, etag } = await updateItem(contentType, itemId, { ...body, status }, base.etag)
      return { item: data, etag }
    } catch (error) {
      if (!isStale(error)) throw error
      const next = await reread(itemId)
      if (next === undefined || next.merged.clashes.length > 0) return undefined
      return update(next.saved, next.merged.fields, status)
    }
  }

  const run = async (status: Status): Promise<boolean> => {
    const known = current.current.saved
    const base = known ?? (await create())
    if (base === undefined) return false
    const isDone = known === undefined && status === 'Draft'
    const next = isDone ? base : await update(base, current.current.fields, status)
    if (next === undefined) return false
    change({ saved: next, fields: fieldsOf(next.item) })
    changes.report()
    return true
  }

  const fail = (error: unknown) =>
    change(
      error instanceof ApiError && error.errors.length > 0 ? { errors: error.errors } : { failure: error },
    )

  return {
    state,
    isDirty: haveChanged(
      state.saved === undefined ? start.current : fieldsOf(state.saved.item),
      state.fields,
    ),
    setField: (field, value) =>
      change(({ fields: before, errors }) => ({
        fields: { ...before, [field]: value },
        errors: errors.filter((error) => error.field !== field),
      })),
    settle: ({ field, theirs }, choice) =>
      change(({ fields: before, clashes }) => ({
        clashes: clashes.filter((clash) => clash.field !== field),
        ...(choice === 'theirs' && { fields: { ...before, [field]: theirs } }),
      })),
    save: async (status) => {
      change({ busy: status, errors: [], refused: undefined, failure: undefined })
      try {
        return await run(status)
      } catch (error) {
        change({ refused: status })
        fail(error)
        return false
      } finally {
        change({ busy: undefined })
      }
    },
    refresh: async () => {
      const { saved: known } = current.current
      if (known !== undefined) await reread(known.item.itemId)
      changes.report()
    },
    fail,
  }
}
