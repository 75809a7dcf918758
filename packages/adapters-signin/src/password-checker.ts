import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Password, PasswordChecker, PasswordHash } from '@almoner/domain/managers'
import { unavailable } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import pLimit from 'p-limit'
import { attempt } from './attempt.ts'

/** Memory of a hash: 32 MiB, three times over, which takes some 150 ms of a core. */
const COST = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 }

const [SALT_BYTES, KEY_BYTES] = [16, 32]

/** The PHC string format: salt and key in base64 without padding. */
const FORM = /^\$scrypt\$ln=15,r=8,p=3\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

/** Hashes that are computed at once: each takes one of the four threads that files and images need too. */
const AT_ONCE = 2

/** Further hashes that may wait; the last of them is computed within a few seconds. */
const WAITING = 16

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const keyOf = (password: Password, salt: Buffer): Promise<Buffer> => derive(password, salt, KEY_BYTES, COST)

const hash = async (password: Password): Promise<PasswordHash> => {
  const salt = randomBytes(SALT_BYTES)
  const key = await keyOf(password, salt)
  return `$scrypt$ln=15,r=8,p=3$${base64(salt)}$${base64(key)}` as PasswordHash
}

/** Compares with the stored key. Without a stored one, with a random key, which no password has. */
const verify = async (password: Password, stored: O.Option<PasswordHash>): Promise<boolean> => {
  const found = O.isSome(stored) ? FORM.exec(stored.value) : null
  const salt = found ? Buffer.from(found[1] ?? '', 'base64') : randomBytes(SALT_BYTES)
  const expected = found ? Buffer.from(found[2] ?? '', 'base64') : randomBytes(KEY_BYTES)
  return timingSafeEqual(await keyOf(password, salt), expected)
}

/** Makes the cryptography of passwords with Node's own (A6, M3). */
export const makePasswordChecker = (): PasswordChecker => {
  const limit = pLimit(AT_ONCE)
  const limited = async <A>(work: () => Promise<A>): Promise<A> => {
    if (limit.pendingCount >= WAITING) throw new Error('too many passwords are being checked')
    return limit(work)
  }
  return {
    hash: (password) => attempt(() => limited(() => hash(password)), unavailable),
    verify: (password, stored) => attempt(() => limited(() => verify(password, stored)), unavailable),
    hmac: (key, message) => createHmac('sha1', key).update(message).digest(),
    random: randomBytes,
  }
}
