import { createHash, randomBytes } from 'node:crypto'
import { EXTENSIONS, type MediaName, type Secrets, type TokenDigest } from '@almoner/domain'
import { scryptHash, scryptMatches } from './scrypt-hash.ts'
import { type TurnLimits, takingTurns } from './turns.ts'

/** Random bytes of a secret or a name: 256 bits. */
const BYTES = 32

const random = (): string => randomBytes(BYTES).toString('base64url')

/**
 * Two at once: scrypt runs on Node's four worker threads, which files and images need too, and takes 32 MiB each time. The
 * last of 64 that wait is served within a few seconds.
 */
const HASHING: TurnLimits = { atOnce: 2, waiting: 64 }

/** Secrets from Node's own cryptography: random text, SHA-256 digests of tokens, scrypt for client secrets (A6). */
export const nodeSecrets = (hashing: TurnLimits = HASHING): Secrets => {
  const inTurn = takingTurns(hashing)
  return {
    mint: random,
    mintMediaName: (type) => `${random()}.${EXTENSIONS[type]}` as MediaName,
    digest: (token) => createHash('sha256').update(token).digest('hex') as TokenDigest,
    hash: (secret) => inTurn(() => scryptHash(secret)),
    verify: (secret, hash) => inTurn(() => scryptMatches(secret, hash)),
  }
}
