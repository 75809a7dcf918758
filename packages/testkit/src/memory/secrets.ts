import type { TokenDigest } from '@almoner/domain/access'
import { EXTENSIONS, type MediaName } from '@almoner/domain/media'
import type { Secrets } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** Predictable secrets for tests: they count up. */
export const plainSecrets = (): Secrets => {
  let made = 0
  const next = () => {
    made += 1
    return made.toString().padStart(24, '0')
  }
  return {
    mint: () => `secret-${next()}`,
    mintMediaName: (type) => `${next()}.${EXTENSIONS[type]}` as MediaName,
    digest: (secret) => `digest of ${secret}` as TokenDigest,
    verify: (secret, stored) => TE.right(stored === `digest of ${secret}` ? 'digest' : 'none'),
  }
}
