import { generateKeyPairSync, randomBytes } from 'node:crypto'

/**
 * An authentication token signing key: a `.p8` file (PKCS #8, P-256), its key id and the team's id, ten characters each
 * (https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns).
 */
export interface ApnsKey {
  readonly p8: string
  readonly keyId: string
  readonly teamId: string
}

const tenCharacters = (): string => randomBytes(5).toString('hex').toUpperCase()

/** A new key of a new team. */
export const makeApnsKey = (): ApnsKey => ({
  p8: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string,
  keyId: tenCharacters(),
  teamId: tenCharacters(),
})
