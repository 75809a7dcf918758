import type { FieldError } from '@almoner/client'
import type { Item, Status } from '../items.ts'
import type { Fields } from './fields.ts'
import type { Clash } from './merge.ts'

/** The version of the item that the editor began from. */
export interface Saved {
  readonly item: Item
  readonly etag: string | undefined
}

/** What an editor begins with: the saved version, if there is one, and the fields as typed. */
export interface EditorStart {
  readonly saved: Saved | undefined
  readonly fields: Fields
  readonly clashes: ReadonlyArray<Clash>
  /** The labels that a new item will get. */
  readonly labels?: ReadonlyArray<string>
  /** When the working copy was stored from which the fields come; undefined if they are those of the saved version. */
  readonly restoredAt?: string | undefined
}

/** The state of an editor. */
export interface EditorState extends EditorStart {
  /** The act that is under way. */
  readonly busy: Status | undefined
  /** The act that the server refused, and all its reasons. */
  readonly refused: Status | undefined
  readonly errors: ReadonlyArray<FieldError>
  readonly failure: unknown
}

/** A change of the state, which may depend on the present one. */
type EditorChange = Partial<EditorState> | ((state: EditorState) => Partial<EditorState>)

/** Applies a change to the state. */
export const applyChange = (state: EditorState, change: EditorChange): EditorState => ({
  ...state,
  ...(typeof change === 'function' ? change(state) : change),
})

/** Returns the state at the start. */
export const stateOf = (start: EditorStart): EditorState => ({
  ...start,
  busy: undefined,
  refused: undefined,
  errors: [],
  failure: undefined,
})
