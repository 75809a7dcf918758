import * as E from 'fp-ts/lib/Either.js'
import type { Settings } from '../../config/definitions.ts'
import { type Environment, readSettings } from '../../config/read.ts'
import { type Found, fault, ok } from './finding.ts'

/** The settings, if they can be read, and what is to be said of them. */
export interface Examined {
  readonly settings: Settings | undefined
  readonly found: ReadonlyArray<Found>
}

const MEND = 'mend it; the rest is looked at once all settings are right'

/** Reads the settings. Without them nothing else can be looked at. */
export const examineSettings = (environment: Environment): Examined => {
  const read = readSettings(environment)
  return E.isRight(read)
    ? { settings: read.right, found: [ok('all can be read')] }
    : { settings: undefined, found: read.left.map((line) => fault(line, MEND)) }
}
