import { closest } from 'fastest-levenshtein'
import * as E from 'fp-ts/lib/Either.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { ALL_SETTINGS, SETTINGS, type Settings } from './definitions.ts'
import type { Setting } from './setting.ts'

/** Environment variables, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>

const PREFIX = 'ALMONER_'
const NAMES: ReadonlyArray<string> = ALL_SETTINGS.map(({ name }) => name)

/** A variable that is set to nothing counts as not set, as compose files and CI have them. */
const readOne =
  (environment: Environment) =>
  ({ name, parse, unset }: Setting<unknown>): E.Either<string, unknown> => {
    const text = environment[name]?.trim() ?? ''
    return text === '' ? E.right(unset) : E.mapLeft((message) => `${name} ${message}`)(parse(text))
  }

const unknownNames = (environment: Environment): ReadonlyArray<string> =>
  Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !NAMES.includes(name))
    .sort()
    .map((name) => `${name} is no setting; the nearest one is ${closest(name, NAMES)}`)

/**
 * The settings of an environment, or one line for every fault: bad values in the order of the docs, then unknown names. No
 * line repeats a value.
 */
export const readSettings = (environment: Environment): E.Either<ReadonlyNonEmptyArray<string>, Settings> => {
  const read = Object.entries(SETTINGS).map(([key, setting]) => [key, readOne(environment)(setting)] as const)
  const faults = read.flatMap(([, value]) => (E.isLeft(value) ? [value.left] : []))
  const values = read.flatMap(([key, value]) => (E.isRight(value) ? [[key, value.right] as const] : []))
  const [first, ...rest] = [...faults, ...unknownNames(environment)]
  if (first !== undefined) return E.left([first, ...rest])
  // Each key came with the value that its own definition reads.
  return E.right(Object.fromEntries(values) as Settings)
}
