import { SCOPES } from '@almoner/domain/access'
import type { Reader } from '@almoner/domain/operations'
import * as t from 'io-ts'
import { LANG, literals, under } from './codecs.ts'

/** A kind of reader, and whether it gets an item (M7). */
export const ReaderJson = under('reader', { role: literals(SCOPES), lang: LANG, visible: t.boolean })

/** Writes a kind of reader. */
export const encodeReader = ({ role, lang, visible }: Reader): t.OutputOf<typeof ReaderJson> => ({
  reader: { role, lang, visible },
})
