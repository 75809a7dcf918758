import {
  type CopyKey,
  type CopySummary,
  MANAGER_NOT_FOUND,
  MOST_COPIES,
  titleOf,
  tooManyCopies,
  type WorkingCopy,
} from '@almoner/domain/managers'
import type { WorkingCopies } from '@almoner/domain/ports'
import type { Email } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { compareText } from '../../../domain/src/values/text.ts'
import type { Tables } from './tables.ts'

const nameOf = (email: Email, key: CopyKey): string => `${email} ${key}`

const summaryOf = ({ fields, ...copy }: WorkingCopy): CopySummary => ({ ...copy, title: titleOf(fields) })

/** Working copies in memory. */
export const memoryWorkingCopies = ({ managers, workingCopies }: Tables): WorkingCopies => {
  const all = (email: Email) => [...workingCopies.values()].filter((copy) => copy.email === email)
  return {
    put: (copy) => async () => {
      const name = nameOf(copy.email, copy.key)
      if (!managers.has(copy.email)) return E.left(MANAGER_NOT_FOUND)
      if (!workingCopies.has(name) && all(copy.email).length >= MOST_COPIES) return E.left(tooManyCopies())
      workingCopies.set(name, copy)
      return E.right(undefined)
    },
    find: (email, key) => TE.fromIO(() => O.fromNullable(workingCopies.get(nameOf(email, key)))),
    of: (email) =>
      TE.fromIO(() =>
        all(email)
          .map(summaryOf)
          .sort((a, b) => b.updatedAt - a.updatedAt || compareText(a.key, b.key)),
      ),
    remove: (email, key) => TE.fromIO(() => void workingCopies.delete(nameOf(email, key))),
    purge: (before) =>
      TE.fromIO(() => {
        const old = [...workingCopies].filter(([, { updatedAt }]) => updatedAt < before)
        for (const [name] of old) workingCopies.delete(name)
        return old.length
      }),
  }
}
