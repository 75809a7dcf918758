import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** What a hash costs: 2^`log2N` blocks of 128 · `r` bytes, gone over `p` times. */
export interface ScryptCost {
  readonly log2N: number
  readonly r: number
  readonly p: number
}

interface ScryptHash {
  readonly cost: ScryptCost
  readonly salt: Buffer
  readonly key: Buffer
}

/**
 * 32 MiB and some 50 ms of one core. OWASP asks for three times that (p = 3) to protect passwords that people choose. Client
 * secrets are 256 random bits that the service itself makes: no cost makes guessing them thinkable, and every token request
 * pays it. The cost stands in each hash, so that it can be raised without touching those that exist.
 */
const COST: ScryptCost = { log2N: 15, r: 8, p: 1 }

const SALT_BYTES = 16
const KEY_BYTES = 32

/** Room for the work area and what OpenSSL needs beside it. */
const MAX_MEMORY = 64 * 1024 * 1024

const derive = (secret: string, salt: Buffer, { log2N, r, p }: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(secret, salt, KEY_BYTES, { N: 2 ** log2N, r, p, maxmem: MAX_MEMORY }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

const write = ({ cost, salt, key }: ScryptHash): string =>
  `$scrypt$ln=${cost.log2N},r=${cost.r},p=${cost.p}$${base64(salt)}$${base64(key)}`

const FORM = /^\$scrypt\$ln=(\d\d?),r=(\d\d?),p=(\d\d?)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/

/** Whether a cost is one that may be spent: a stored text must not be able to ask for any amount of memory or time. */
const isAffordable = ({ log2N, r, p }: ScryptCost): boolean =>
  log2N >= 1 && r >= 1 && p >= 1 && p <= 5 && 128 * r * 2 ** log2N <= MAX_MEMORY / 2

const read = (text: string): ScryptHash | undefined => {
  const [, log2N, r, p, salt = '', key = ''] = FORM.exec(text) ?? []
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) }
  return isAffordable(cost)
    ? { cost, salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') }
    : undefined
}

/** What a text that is no hash is compared with: as much work as a real one. */
const decoy = (): ScryptHash => ({ cost: COST, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) })

/** A salted hash in the PHC string format: `$scrypt$ln=15,r=8,p=1$salt$key`. Rejects when memory is short. */
export const scryptHash = async (secret: string): Promise<string> => {
  const salt = randomBytes(SALT_BYTES)
  return write({ cost: COST, salt, key: await derive(secret, salt, COST) })
}

/** Whether a text is a hash of the secret. One that is no hash takes as long as one that is. Rejects when memory is short. */
export const scryptMatches = async (secret: string, text: string): Promise<boolean> => {
  const hash = read(text)
  const { cost, salt, key } = hash ?? decoy()
  const isSame = timingSafeEqual(await derive(secret, salt, cost), key)
  return isSame && hash !== undefined
}
