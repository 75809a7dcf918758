import { readText } from '@almoner/adapters-node/files'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Option } from 'fp-ts/lib/Option.js'
import { SETTINGS, type Settings } from '../../config/definitions.ts'
import { type Checked, fault } from './checked.ts'

/** Settings that may be left out. */
export type OptionalKey = {
  [K in keyof Settings]: Settings[K] extends Option<string> ? K : never
}[keyof Settings]

/** How an operator knows a setting. */
export const nameOf = (key: keyof Settings): string => SETTINGS[key].name

/** A setting without which a provider cannot be used. */
export const required = (settings: Settings, key: OptionalKey, provider: string): Checked<string> =>
  pipe(
    settings[key],
    E.fromOption(() => [`${nameOf(key)} must be set: ALMONER_PUSH names ${provider}`] as const),
  )

/** The file that a setting names, as text. What the system says beyond a few known words may name the path. */
export const fileOf = async (path: string, key: OptionalKey): Promise<Checked<string>> => {
  const text = await readText(path)
  if (E.isRight(text)) return text
  const [why] = text.left.split(':')
  return fault(`${nameOf(key)} must be the path of a file that can be read: it ${why}`)
}

/** The file that a required setting names. */
export const requiredFile = async (
  settings: Settings,
  key: OptionalKey,
  provider: string,
): Promise<Checked<string>> => {
  const path = required(settings, key, provider)
  return E.isLeft(path) ? path : fileOf(path.right, key)
}
