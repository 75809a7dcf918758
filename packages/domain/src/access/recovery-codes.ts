import { toBase32 } from './base32.ts'

/** How many recovery codes a person gets. */
export const RECOVERY_CODES = 10

/** Random bytes of a code: 120 bits, which is enough to store a plain digest of it (NIST SP 800-63B asks for 112). */
const BYTES = 15

/** Makes recovery codes: six groups of four letters and digits each. */
export const newRecoveryCodes = (random: (count: number) => Uint8Array): ReadonlyArray<string> =>
  Array.from({ length: RECOVERY_CODES }, () =>
    (toBase32(random(BYTES)).match(/.{4}/g) ?? []).join('-').toLowerCase(),
  )

/** Returns a code as it is compared: people may leave out hyphens, add spaces, and use capitals. */
export const plainCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase()
