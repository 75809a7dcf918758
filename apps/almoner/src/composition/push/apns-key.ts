import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Settings } from '../../config/definitions.ts'
import { allOf, type Checked, fault } from './checked.ts'
import { privateKeyIn } from './private-key.ts'
import { nameOf, required, requiredFile } from './required.ts'

/** A key for APNs with its names. */
export interface ApnsKey {
  /** The text of the `.p8` file. */
  readonly key: string
  readonly keyId: string
  readonly teamId: string
  readonly topic: string
}

const P256 = 'prime256v1'

const keyIn = (text: string): Checked<string> =>
  privateKeyIn(text)?.asymmetricKeyDetails?.namedCurve === P256
    ? E.right(text)
    : fault(`${nameOf('apnsKey')} must be a .p8 file as Apple gives it out: it holds no private key of P-256`)

/** The key that the settings name, for APNs, read and checked. */
export const readApnsKey = async (settings: Settings): Promise<Checked<ApnsKey>> =>
  allOf({
    key: pipe(await requiredFile(settings, 'apnsKey', 'apns'), E.flatMap(keyIn)),
    keyId: required(settings, 'apnsKeyId', 'apns'),
    teamId: required(settings, 'apnsTeamId', 'apns'),
    topic: required(settings, 'apnsTopic', 'apns'),
  })
