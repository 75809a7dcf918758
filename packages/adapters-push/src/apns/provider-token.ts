import { MINUTE, SECOND } from '@almoner/domain/values'
import { readSigningKey, type SigningKey, signJwt } from '../credentials.ts'
import type { ApnsOptions } from './options.ts'

/** The provider token of all connections. */
export interface ProviderToken {
  /** Which token `current` is; each new one has the next number. */
  readonly generation: number
  readonly current: Promise<string>
  isExpired(): boolean
  /** A new token, unless the one that was refused has been replaced already. */
  regenerate(generation: number): void
  /** The token of the term before in the place of this term's, or back, unless the one that was refused has been replaced already. */
  swap(generation: number): void
}

type Signer = Pick<ApnsOptions, 'key' | 'keyId' | 'teamId' | 'clock'>

/** Apple takes a new token every twenty minutes at most, and a token for an hour at most. */
const TERM = 30 * MINUTE

/** How far into a term the token of the one before is used at most: it is not an hour old then, and has been in use for twenty minutes. */
const OVERLAP = 25 * MINUTE

const issue = (key: SigningKey, { keyId, teamId }: Signer, at: number): Promise<string> =>
  signJwt(key, { iss: teamId, iat: Math.floor(at / SECOND) }, { kid: keyId })

/**
 * The token that stands for us
 * (https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns). It is dated by the
 * half hour it is made in: all processes that share the key then make the same claims at any time, and change them together, so that Apple
 * does not find it changed too often. One that Apple calls too old is replaced by one of this very moment. A process whose first push
 * came late in a half hour has used its token for less than twenty minutes when the next one begins: where Apple finds that too soon, the
 * new token is swapped for the one before, which is good for as long again.
 * @throws when the key is no private key of P-256
 */
export const makeProviderToken = (signer: Signer): ProviderToken => {
  const key = readSigningKey('ES256', signer.key)
  if (key === undefined) throw new Error('not a key of P-256')
  const termNow = (): number => Math.floor(signer.clock.now() / TERM)
  let term = termNow()
  let dated = term * TERM
  let token = { generation: 0, current: issue(key, signer, dated) }
  const isOfTermBefore = (): boolean => dated === (term - 1) * TERM
  const replace = (at: number): void => {
    term = termNow()
    dated = at
    token = { generation: token.generation + 1, current: issue(key, signer, at) }
  }
  return {
    get generation() {
      return token.generation
    },
    get current() {
      return token.current
    },
    isExpired: () => termNow() !== term || (isOfTermBefore() && signer.clock.now() >= term * TERM + OVERLAP),
    regenerate: (generation) => {
      if (generation !== token.generation) return
      const isOfThisTerm = termNow() === term && !isOfTermBefore()
      replace(isOfThisTerm ? signer.clock.now() : termNow() * TERM)
    },
    swap: (generation) => {
      if (generation !== token.generation) return
      const present = termNow() * TERM
      replace(dated === present ? present - TERM : present)
    },
  }
}
