import {
  type CopyKey,
  type CopySummary,
  copyImages,
  MANAGER_NOT_FOUND,
  MOST_COPIES,
  MOST_COPY_IMAGES,
  titleOf,
  tooManyCopies,
  type WorkingCopy,
} from '@almoner/domain/managers'
import type { MediaName } from '@almoner/domain/media'
import type { WorkingCopies } from '@almoner/domain/ports'
import { addMillis, compareText, type Email, type Instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { forgetUnheld } from './results.ts'
import type { CopyHolder, CopyImage, Tables } from './tables.ts'

const nameOf = (email: Email, key: CopyKey): string => `${email} ${key}`

const summaryOf = ({ fields, ...copy }: WorkingCopy): CopySummary => ({ ...copy, title: titleOf(fields) })

const isExpected = (expected: O.Option<Instant> | undefined, before: Instant | undefined): boolean =>
  expected === undefined || O.toUndefined(expected) === before

const laterThan = (before: Instant | undefined, now: Instant, expected: unknown): Instant =>
  expected === undefined || before === undefined || before < now ? now : addMillis(before, 1)

/** Changes which images working copies hold. */
const changeHolds = ({ copyImages: rows, holds }: Tables, change: () => void): void => {
  const holders = (): ReadonlySet<CopyHolder> =>
    new Set([...rows.values()].map(({ email, key }): CopyHolder => `copy ${email} ${key}`))
  const before = holders()
  change()
  for (const holder of new Set([...before, ...holders()])) {
    const names = [...rows.values()].filter(({ email, key }) => `copy ${email} ${key}` === holder)
    holds.set(holder, new Set(names.map(({ name }) => name)))
  }
}

const hold = (tables: Tables, image: CopyImage): void =>
  changeHolds(tables, () => {
    const { email, key, name } = image
    const id = `${nameOf(email, key)} ${name}`
    if (!tables.copyImages.has(id)) tables.copyImages.set(id, image)
  })

/** Ends the holds of some images of working copies. Returns their names. */
const release = (tables: Tables, goes: (image: CopyImage) => boolean): ReadonlyArray<MediaName> => {
  const gone = [...tables.copyImages].filter(([, image]) => goes(image))
  changeHolds(tables, () => {
    for (const [id] of gone) tables.copyImages.delete(id)
  })
  return gone.map(([, { name }]) => name)
}

/** Ends the holds of some images of working copies. They can be held again until an hour after a moment. */
const releaseAt = (tables: Tables, at: Instant, goes: (image: CopyImage) => boolean): void => {
  for (const name of release(tables, goes)) tables.released.set(name, at)
}

/** Deletes the working copies of a manager. Returns the images that nothing holds any more, which are forgotten. */
export const eraseCopies = (tables: Tables, email: Email): ReadonlyArray<MediaName> => {
  for (const [name, copy] of tables.workingCopies) if (copy.email === email) tables.workingCopies.delete(name)
  return forgetUnheld(tables, new Set(release(tables, (image) => image.email === email)))
}

/** Working copies in memory. */
export const memoryWorkingCopies = (tables: Tables): WorkingCopies => {
  const { images, managers, workingCopies } = tables
  const all = (email: Email) => [...workingCopies.values()].filter((copy) => copy.email === email)
  /** Returns the images of a manager that no copy names, the oldest first, if there are too many. */
  const surplus = (email: Email): ReadonlyArray<CopyImage> => {
    const held = [...tables.copyImages.values()].filter((image) => image.email === email)
    const named = new Set(all(email).flatMap(({ fields }) => copyImages(fields)))
    return held
      .filter(({ name }) => !named.has(name))
      .sort((a, b) => a.at - b.at)
      .slice(0, Math.max(0, held.length - MOST_COPY_IMAGES))
  }
  const holdNamed = ({ email, key, fields, updatedAt }: WorkingCopy): void => {
    const known = copyImages(fields).filter((name) => images.has(name))
    for (const name of known) hold(tables, { email, key, name, at: updatedAt })
  }
  return {
    put: (copy, expected) => async () => {
      const { email, key } = copy
      const name = nameOf(email, key)
      if (!managers.has(email)) return E.left(MANAGER_NOT_FOUND)
      if (!workingCopies.has(name) && all(email).length >= MOST_COPIES) return E.left(tooManyCopies())
      const before = workingCopies.get(name)?.updatedAt
      if (!isExpected(expected, before)) return E.left({ _tag: 'PreconditionFailed' as const })
      const updatedAt = laterThan(before, copy.updatedAt, expected)
      workingCopies.set(name, { ...copy, updatedAt })
      holdNamed({ ...copy, updatedAt })
      return E.right(updatedAt)
    },
    find: (email, key) => TE.fromIO(() => O.fromNullable(workingCopies.get(nameOf(email, key)))),
    of: (email) =>
      TE.fromIO(() =>
        all(email)
          .map(summaryOf)
          .sort((a, b) => b.updatedAt - a.updatedAt || compareText(a.key, b.key)),
      ),
    addImage: (email, key, image, at) => async () => {
      if (!managers.has(email)) return E.left(MANAGER_NOT_FOUND)
      images.set(image.name, image)
      hold(tables, { email, key, name: image.name, at })
      const old = new Set(surplus(email))
      return E.right(forgetUnheld(tables, new Set(release(tables, (one) => old.has(one)))))
    },
    remove: (email, key, at, expected) => async () => {
      const name = nameOf(email, key)
      const before = workingCopies.get(name)?.updatedAt
      if (before !== undefined && !isExpected(expected, before))
        return E.left({ _tag: 'PreconditionFailed' as const })
      workingCopies.delete(name)
      releaseAt(tables, at, (image) => image.email === email && image.key === key)
      return E.right(undefined)
    },
    purge: (before) =>
      TE.fromIO(() => {
        const old = [...workingCopies].filter(([, { updatedAt }]) => updatedAt < before)
        for (const [name] of old) workingCopies.delete(name)
        releaseAt(
          tables,
          before,
          ({ email, key, at }) => at < before && !workingCopies.has(nameOf(email, key)),
        )
        return old.length
      }),
  }
}
