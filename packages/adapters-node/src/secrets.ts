import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { TokenDigest } from '@almoner/domain/access'
import { EXTENSIONS, type MediaName } from '@almoner/domain/media'
import { type SecretMatch, type Secrets, unavailable } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import pLimit from 'p-limit'
import { isLegacyHash, matchesLegacyHash } from './legacy-hash.ts'

/** Random bytes of a secret or a name: 256 bits. */
const BYTES = 32

/** Checks of legacy hashes that run at once: each takes 32 MiB and one of the four threads that files and images need too. */
const LEGACY_AT_ONCE = 2

/** Further checks that may wait; the last of them is served within a few seconds. */
const LEGACY_WAITING = 64

const random = (): string => randomBytes(BYTES).toString('base64url')

const sha256 = (text: string): string => hash('sha256', text, 'hex')

const isSame = (stored: string, digest: string): boolean =>
  stored.length === digest.length && timingSafeEqual(Buffer.from(stored), Buffer.from(digest))

/** Makes random secrets with Node's own cryptography; stores SHA-256 digests and still checks older scrypt hashes (A6). */
export const nodeSecrets = (): Secrets => {
  const limit = pLimit(LEGACY_AT_ONCE)

  const verifyLegacy = async (secret: string, stored: string): Promise<SecretMatch> => {
    if (limit.pendingCount >= LEGACY_WAITING) throw new Error('too many legacy hashes are being checked')
    return (await limit(() => matchesLegacyHash(secret, stored))) ? 'legacy' : 'none'
  }

  return {
    mint: random,
    mintMediaName: (type) => `${random()}.${EXTENSIONS[type]}` as MediaName,
    digest: (secret) => sha256(secret) as TokenDigest,
    verify: (secret, stored) =>
      isLegacyHash(stored)
        ? TE.tryCatch(() => verifyLegacy(secret, stored), unavailable)
        : TE.right(isSame(stored, sha256(secret)) ? 'digest' : 'none'),
  }
}
