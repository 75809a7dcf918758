import * as E from 'fp-ts/lib/Either.js'
import {
  BLANK,
  type Branded,
  isStorable,
  NOT_STORABLE,
  nfcOf,
  type Refined,
  refined,
} from '../values/refined.ts'

/** A part of what a notification says: NFC, and not blank. How long it may be follows from the payload's limit (G6). */
export type MessageText = Branded<string, 'MessageText'>

/** `title`: text that is shown. */
export const MessageText = refined<MessageText>(
  'MessageText',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    const text = nfcOf(sent)
    return BLANK.test(text) ? E.left('is required') : E.right(text as MessageText)
  },
  { type: 'string', description: 'Text shown on the device.', minLength: 1, example: 'Our year in figures' },
)

/** `subtitle`, `description`: blank-only text is empty, and empty is absent (B2, B6). */
export const OptionalMessageText: Refined<MessageText | undefined> = refined<MessageText | undefined>(
  'OptionalMessageText',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    const text = nfcOf(sent)
    return E.right(BLANK.test(text) ? undefined : (text as MessageText))
  },
  { type: 'string', description: 'Additional text shown on the device.' },
)
