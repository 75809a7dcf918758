import { closest, distance } from 'fastest-levenshtein'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { type Environment, isOfService, readHttpsProxy } from '../composition/node.ts'
import { CommandFailed, orThrow } from '../failure.ts'
import { ALL_SETTINGS, SETTINGS, type Settings } from './definitions.ts'
import type { Setting } from './setting.ts'

/** Whether a longer name has all characters of a shorter one, in their order. */
const abbreviates = (short: string, long: string): boolean => {
  let at = -1
  return [...short].every((character) => {
    at = long.indexOf(character, at + 1)
    return at >= 0
  })
}

/** Returns the name that a mistyped (`ad` for `add`) or shortened one (`ALMONER_DB`) most likely stands for. */
export const nearest = (name: string, names: ReadonlyArray<string>): string | undefined => {
  const typo = closest(name, names)
  if (distance(name, typo) <= 2) return typo
  const longer = names.filter((other) => abbreviates(name, other))
  return longer.length > 0 ? closest(name, longer) : undefined
}

export type { Environment }

const NAMES: ReadonlyArray<string> = ALL_SETTINGS.map(({ name }) => name)

/** A variable that is set to nothing counts as not set, as compose files and CI have them. */
const readOne = (
  environment: Environment,
  key: string,
  { name, parse, unset }: Setting<unknown>,
): E.Either<string, readonly [string, unknown]> => {
  const text = isOfService(name, environment) ? '' : (environment[name]?.trim() ?? '')
  const read = text === '' ? E.right(unset) : parse(text, environment)
  return E.bimap(
    (message: string) => `${name} ${message}`,
    (value: unknown) => [key, value] as const,
  )(read)
}

const ourNames = (environment: Environment): ReadonlyArray<string> =>
  Object.keys(environment).filter((name) => name.startsWith('ALMONER_'))

/** Returns the variables that describe another service whose name begins as the settings do. They are passed over. */
export const namesOfServices = (environment: Environment): ReadonlyArray<string> =>
  ourNames(environment).filter((name) => isOfService(name, environment))

const unknownNames = (environment: Environment): ReadonlyArray<string> =>
  ourNames(environment)
    .filter((name) => !NAMES.includes(name) && !isOfService(name, environment))
    .sort()
    .map(
      (name) => `${name} is no setting; the nearest one is ${nearest(name, NAMES) ?? closest(name, NAMES)}`,
    )

/** The settings without which sign-in by OpenID Connect does not work. */
const OF_OIDC = ['oidcIssuer', 'oidcClientId', 'oidcClientSecret'] as const

const missingOfOidc = (settings: Settings): ReadonlyArray<string> =>
  settings.consoleSignIn.includes('oidc')
    ? OF_OIDC.filter((key) => O.isNone(settings[key])).map(
        (key) => `${SETTINGS[key].name} must be set: ${SETTINGS.consoleSignIn.name} names oidc`,
      )
    : []

const missingOfUsers = ({ userIssuer, userAudience, userDonorClaim }: Settings): ReadonlyArray<string> => {
  const { name } = SETTINGS.userIssuer
  if (O.isSome(userIssuer))
    return userAudience.length > 0 ? [] : [`${SETTINGS.userAudience.name} must be set: ${name} is`]
  return [
    ...(userAudience.length > 0 ? [`${name} must be set: ${SETTINGS.userAudience.name} is`] : []),
    ...(O.isSome(userDonorClaim) ? [`${name} must be set: ${SETTINGS.userDonorClaim.name} is`] : []),
  ]
}

const missingProxy = ({ linkCheck, proxy }: Settings): ReadonlyArray<string> =>
  O.toUndefined(linkCheck) === 'proxy' && proxy === undefined
    ? [`${SETTINGS.linkCheck.name} is proxy: set HTTPS_PROXY to the URL of the proxy`]
    : []

const ofServerAlone = ({ database, databaseListen, databaseReads }: Settings): ReadonlyArray<string> =>
  [O.isSome(databaseListen) && SETTINGS.databaseListen, databaseReads.length > 0 && SETTINGS.databaseReads]
    .filter((set) => set !== false)
    .filter(() => database.kind === 'sqlite')
    .map(({ name }) => `${name} must not be set: ${SETTINGS.database.name} is a file`)

/** Returns the settings, or a line for every error: bad values in the order of the docs, then missing ones, then unknown names. No line repeats a value. */
export const readSettings = (
  environment: Environment,
): E.Either<RNEA.ReadonlyNonEmptyArray<string>, Settings> => {
  const read = Object.entries(SETTINGS).map(([key, setting]) => readOne(environment, key, setting))
  const { left: bad, right: values } = RA.separate(read)
  // Each key came with the value that its own definition reads.
  const proxy = readHttpsProxy(environment)
  const settings = {
    ...Object.fromEntries(values),
    proxy: E.isRight(proxy) ? proxy.right : undefined,
  } as Settings
  const missing = RA.isNonEmpty(bad)
    ? []
    : [ofServerAlone, missingOfOidc, missingOfUsers, missingProxy].flatMap((look) => look(settings))
  const faults = [...bad, ...missing, ...unknownNames(environment), ...(E.isLeft(proxy) ? [proxy.left] : [])]
  return RA.isNonEmpty(faults) ? E.left(faults) : E.right(settings)
}

/** Returns the settings of an environment, or throws a `CommandFailed` with a line for every error. */
export const settingsOf = (environment: Environment): Settings =>
  orThrow(readSettings(environment), (lines) => new CommandFailed(lines))
