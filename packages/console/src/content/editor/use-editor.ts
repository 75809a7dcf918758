import { type Answer, ApiError } from '@almoner/client'
import { useEffect, useReducer, useRef } from 'react'
import { changes } from '../../session/answers.ts'
import { isConflict } from '../../ui/problem.tsx'
import type { ContentType, Item, Status } from '../items.ts'
import { checkItem, createItem, readItem, updateItem } from '../items-api.ts'
import { type CopySummary, listCopies, openCopy } from './copy-writer.ts'
import {
  altsOf,
  applyChange,
  baseOf,
  type Clash,
  type EditorStart,
  type EditorState,
  type FieldName,
  type Fields,
  fieldsOf,
  haveChanged,
  mergeFields,
  type Saved,
  stateOf,
} from './fields.ts'
import { readCopy, startOf, type WorkingCopy } from './working-copies.ts'

/** The editor of one item, with its acts. */
export interface Editor {
  readonly state: EditorState
  readonly isDirty: boolean
  readonly setField: (field: FieldName, value: string) => void
  /** Settles a clash: with the other person's text, or with the typed one. */
  readonly settle: (clash: Clash, choice: 'mine' | 'theirs') => void
  /** Returns the present state, also after awaiting. */
  readonly latest: () => EditorState
  /**
   * Saves with a status, and with other values for some fields. Resolves to whether the server accepted it. Fields with an open clash must
   * be settled first.
   */
  readonly save: (status: Status, others?: Fields) => Promise<boolean>
  /** Goes back to the saved version. Returns a function that undoes this. */
  readonly discard: () => () => void
  /** Reads the item again after its images have changed, and keeps the typed text. */
  readonly refresh: () => Promise<void>
  /** Takes other typed fields. Returns a function that undoes this. */
  readonly adopt: (fields: Fields) => () => void
  /** Removes the errors of some fields, as of an image that was added. */
  readonly clear: (names: ReadonlyArray<string>) => void
  /** Shows errors, such as those of an image. With the act that was refused, they are listed above the form. */
  readonly fail: (error: unknown, refused?: Status) => void
}

/** Where an editor reads an item and saves it. */
export interface EditedItems {
  readonly read: (contentType: ContentType, itemId: string) => Promise<Answer<Item | undefined>>
  readonly update: (
    contentType: ContentType,
    itemId: string,
    body: Fields & { readonly status: Status },
    etag: string | undefined,
  ) => Promise<Answer<Item>>
}

const LIVE_ITEMS: EditedItems = { read: readItem, update: updateItem }

/** Runs after a new item has been created, before it is saved with another status than Draft. */
export type AfterCreate = (itemId: string, etag: string | undefined) => Promise<void>

/** How often a save is repeated without another act of the person. */
const MOST_REPEATS = 2

/**
 * Returns the editor of an item, or of a new one. `created` has the fields that a new item begins with; `chosenImages` returns the names of the images
 * that it will have. `items` are the items themselves by default.
 */
export const useEditor = (
  contentType: ContentType,
  start: EditorStart,
  created: Fields,
  afterCreate: AfterCreate,
  chosenImages: () => ReadonlyArray<string>,
  items: EditedItems = LIVE_ITEMS,
): Editor => {
  const [state, change] = useReducer(applyChange, start, stateOf)
  const current = useRef(state)
  current.current = state
  const savedFields = state.saved === undefined ? created : fieldsOf(state.saved.item)

  /** Takes a newer version over and keeps the typed changes. Returns it with the merged fields. */
  const take = (saved: Saved) => {
    const { saved: before, fields: mine, clashes } = current.current
    const base = before === undefined ? mine : baseOf(fieldsOf(before.item), clashes)
    const merged = mergeFields(base, fieldsOf(saved.item), mine)
    change({ saved, ...merged })
    current.current = { ...current.current, saved, ...merged }
    return { saved, merged }
  }

  const reread = async (itemId: string) => {
    const { data, etag } = await items.read(contentType, itemId)
    return data === undefined ? undefined : take({ item: data, etag })
  }

  const create = async (fields: Fields): Promise<Saved | undefined> => {
    const { data, etag } = await createItem(contentType, fields)
    if (data === undefined) return undefined
    change({ saved: { item: data, etag } })
    await afterCreate(data.itemId, etag)
    return (await reread(data.itemId))?.saved
  }

  /**
   * Updates the item. If it has changed meanwhile, merges, and tries again unless both sides changed one field. Rejects with the server's
   * answer after two repeats: something between may change tags so that none ever matches (C13).
   */
  const update = async (
    base: Saved,
    body: Fields,
    status: Status,
    repeats = MOST_REPEATS,
  ): Promise<Saved | undefined> => {
    const { itemId } = base.item
    try {
      const { data, etag } = await items.update(contentType, itemId, { ...body, status }, base.etag)
      // The answer to an update has no descriptions of images.
      return {
        item: { ...data, alts: altsOf({ ...fieldsOf(base.item), ...body }) as Record<string, string> },
        etag,
      }
    } catch (error) {
      if (!isConflict(error) || repeats === 0) throw error
      const next = await reread(itemId)
      if (next === undefined || next.merged.clashes.length > 0) return undefined
      return update(next.saved, next.merged.fields, status, repeats - 1)
    }
  }

  const run = async (status: Status, others: Fields): Promise<boolean> => {
    const { saved: known, fields } = current.current
    if (known === undefined && status === 'Live')
      await checkItem(contentType, { ...fields, ...others }, chosenImages())
    const base = known ?? (await create({ ...fields, ...others }))
    if (base === undefined) return false
    const sent = { ...current.current.fields, ...others }
    const isDone = known === undefined && status === 'Draft'
    const next = isDone ? base : await update(base, sent, status)
    if (next === undefined) return false
    // Text that was typed while the request was under way stays.
    const merged = mergeFields(sent, fieldsOf(next.item), { ...current.current.fields, ...others })
    change({ saved: next, ...merged, restoredAt: undefined })
    changes.report()
    return true
  }

  const fail = (error: unknown, refused?: Status) =>
    change({
      ...(refused !== undefined && { refused }),
      ...(error instanceof ApiError && error.errors.length > 0
        ? { errors: error.errors }
        : { failure: error }),
    })

  /** Takes over what another person has saved meanwhile. */
  const follow = async () => {
    const { saved, busy } = current.current
    if (saved === undefined || busy !== undefined) return
    const { data, etag } = await items.read(contentType, saved.item.itemId)
    const { saved: now, busy: act } = current.current
    if (data !== undefined && etag !== saved.etag && now === saved && act === undefined)
      take({ item: data, etag })
  }
  const latestFollow = useRef(follow)
  latestFollow.current = follow
  useEffect(() => changes.subscribe(() => void latestFollow.current().catch(() => {})), [])

  return {
    state,
    isDirty: haveChanged(savedFields, state.fields) || state.clashes.length > 0,
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
    latest: () => current.current,
    save: async (status, others = {}) => {
      if (current.current.clashes.length > 0) return false
      change({ busy: status, errors: [], refused: undefined, failure: undefined })
      try {
        return await run(status, others)
      } catch (error) {
        fail(error, status)
        return false
      } finally {
        change({ busy: undefined })
      }
    },
    discard: () => {
      const { saved, fields, clashes, restoredAt } = current.current
      const before = saved === undefined ? created : fieldsOf(saved.item)
      change({ fields: before, clashes: [], restoredAt: undefined, errors: [], refused: undefined })
      return () => change({ fields, clashes, restoredAt })
    },
    refresh: async () => {
      const { saved: known } = current.current
      if (known !== undefined) await reread(known.item.itemId)
      changes.report()
    },
    adopt: (fields) => {
      const { fields: before, clashes } = current.current
      change({ fields: { ...before, ...fields }, clashes: [] })
      return () => change({ fields: before, clashes })
    },
    clear: (names) =>
      change(({ errors }) => ({ errors: errors.filter(({ field }) => !names.includes(field)) })),
    fail,
  }
}

/** Reads the copy of a key, if there is one. */
const copyOf = async (
  contentType: ContentType,
  key: string,
  copies: ReadonlyArray<CopySummary>,
): Promise<WorkingCopy | undefined> => {
  const stored = await openCopy(key, copies)
  return stored && readCopy(contentType, stored)
}

/** Loads an item for its editor, with the person's working copy. Undefined if there is no such item. */
export const loadItem = async (
  contentType: ContentType,
  itemId: string,
  created: Fields,
): Promise<EditorStart | undefined> => {
  const [{ data, etag }, copies] = await Promise.all([readItem(contentType, itemId), listCopies()])
  if (data === undefined) return undefined
  return startOf({ item: data, etag }, created, await copyOf(contentType, itemId, copies))
}

/** How the editor of a new item begins, and the other new items that the person has begun. */
interface NewStart {
  readonly start: EditorStart
  readonly others: ReadonlyArray<CopySummary>
}

/** Loads the working copy of a new item, and the list of others of its type. */
export const loadNew = async (contentType: ContentType, key: string, created: Fields): Promise<NewStart> => {
  const copies = await listCopies()
  const copy = await copyOf(contentType, key, copies)
  return {
    start: startOf(undefined, created, copy),
    others: copies.filter(
      (other) => other.contentType === contentType && other.key.startsWith('new-') && other.key !== key,
    ),
  }
}
