import type { Person } from '@almoner/domain/desk'
import * as t from 'io-ts'
import { int, under } from './codecs.ts'

/** A manager by the number that the history uses (K1). */
export const PersonJson = under('person', { number: t.Int, name: t.string })

/** Writes a manager's number and name. */
export const encodePerson = ({ number, name }: Person): t.OutputOf<typeof PersonJson> => ({
  person: { number: int(number), name },
})
