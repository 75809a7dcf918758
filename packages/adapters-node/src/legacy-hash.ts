import { scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

/** The one cost that an earlier version wrote: 32 MiB of memory and some 50 ms of a core for each check. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

/** The PHC string format: salt and key in base64 without padding. */
const FORM = /^\$scrypt\$ln=15,r=8,p=1\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

const derive = promisify<string, Buffer, number, typeof COST, Buffer>(scrypt)

/** Returns whether a stored text is an scrypt hash as an earlier version wrote it (A6). */
export const isLegacyHash = (stored: string): boolean => FORM.test(stored)

/** Returns whether a secret has this scrypt hash. Rejects when memory is short. */
export const matchesLegacyHash = async (secret: string, stored: string): Promise<boolean> => {
  const [, salt = '', key = ''] = FORM.exec(stored) ?? []
  const expected = Buffer.from(key, 'base64')
  const derived = await derive(secret, Buffer.from(salt, 'base64'), expected.length, COST)
  return timingSafeEqual(derived, expected)
}
