import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Email } from '../values/addresses.ts'
import { type Branded, refined } from '../values/refined.ts'
import { type Instant, MINUTE, SECOND } from '../values/time.ts'

/** The alphabet of RFC 4648, which has no 0, 1 and 8. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const bitsOf = (numbers: ReadonlyArray<number>, width: number): string =>
  numbers.map((number) => number.toString(2).padStart(width, '0')).join('')

/** Writes bytes in base32 (RFC 4648). Bits that fill no letter are dropped, so give a multiple of five bytes. */
export const toBase32 = (bytes: Uint8Array): string =>
  (bitsOf([...bytes], 8).match(/.{5}/g) ?? []).map((bits) => ALPHABET[Number.parseInt(bits, 2)]).join('')

/** Reads base32 in upper case, without padding. */
export const fromBase32 = (text: string): Uint8Array => {
  const bits = bitsOf(
    [...text].map((letter) => ALPHABET.indexOf(letter)),
    5,
  )
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/** What an authenticator app and the service share: 160 bits in base32 (RFC 4226). The service stores it as it is, because it computes codes. */
export type TotpSecret = Branded<string, 'TotpSecret'>

/** Bytes of a secret. */
export const TOTP_SECRET_BYTES = 20

const TOTP_SECRET = /^[A-Z2-7]{32}$/

/** Reads the secret of an authenticator app. */
export const TotpSecret = refined<TotpSecret>(
  'TotpSecret',
  (text) =>
    TOTP_SECRET.test(text) ? E.right(text as TotpSecret) : E.left('must be the secret that was shown'),
  {
    type: 'string',
    description: 'Secret for the authenticator app, in base32.',
    pattern: TOTP_SECRET.source,
  },
)

/** Makes a secret from random bytes, of which there are {@link TOTP_SECRET_BYTES}. */
export const totpSecretOf = (bytes: Uint8Array): TotpSecret => toBase32(bytes) as TotpSecret

/** Returns the URI from which an authenticator app takes the secret, by a QR code or a link. Algorithm, digits and period are the defaults. */
export const totpUri = (email: Email, secret: TotpSecret): string =>
  `otpauth://totp/Almoner:${encodeURIComponent(email)}?secret=${secret}&issuer=Almoner`

/** Computes HMAC-SHA-1: 20 bytes. */
export type HmacSha1 = (key: Uint8Array, message: Uint8Array) => Uint8Array

/** How long a code is shown, in milliseconds. */
const STEP = 30 * SECOND

/** Steps by which the clock of a phone may differ. */
const DRIFT = 1

/** Steps after an accepted one in which a code may have been used already: its own clock may be a step behind, the other's a step and a minute ahead. */
export const USED_AHEAD = 4

/**
 * Whether the code of a step counts no more, as it or one of the next steps was used (M3). One used later than that was used by a clock that was
 * ahead: it must not lock its owner out until the clock has caught up (I9).
 */
export const isUsedStep = (step: number, usedStep: number): boolean =>
  step <= usedStep && (usedStep <= step + USED_AHEAD || !Number.isFinite(usedStep))

/** Returns the number of the step at a moment. */
export const totpStep = (now: Instant): number => Math.floor(now / STEP)

/** Returns the code of a step: six digits (RFC 6238 with SHA-1). */
export const totpCode = (hmac: HmacSha1, secret: TotpSecret, step: number): string => {
  const message = new DataView(new ArrayBuffer(8))
  message.setBigUint64(0, BigInt(step))
  const mac = hmac(fromBase32(secret), new Uint8Array(message.buffer))
  // Dynamic truncation (RFC 4226): the last four bits say where the four bytes of the code are.
  const offset = (mac.at(-1) ?? 0) & 15
  const number = new DataView(mac.buffer, mac.byteOffset).getUint32(offset) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

/**
 * Returns the step whose code was given: now, or one step earlier or later, and after the last used one, so that each step counts once (`isUsedStep`, M3).
 * Computes all three codes in each case, so that the time says nothing.
 */
export const acceptedStep = (
  hmac: HmacSha1,
  { totpSecret, usedStep }: { readonly totpSecret: TotpSecret; readonly usedStep: number },
  code: string,
  now: Instant,
): O.Option<number> => {
  const present = totpStep(now)
  const steps = Array.from({ length: 2 * DRIFT + 1 }, (_, n) => present - DRIFT + n)
  const matching = steps.filter(
    (step) => totpCode(hmac, totpSecret, step) === code && !isUsedStep(step, usedStep),
  )
  return O.fromNullable(matching[0])
}

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

/** Wrong codes after a right password within an hour, after which codes are refused (M9). */
export const ALLOWED_CODES = 10

/** For how long wrong codes count, and for how long codes are refused then (M9). */
const HOUR = 60 * MINUTE

/**
 * Returns whether a wrong code still counts: for an hour. One that lies more than a minute ahead was noted before the clock was set back, and
 * would count for longer than that (M9).
 */
const counts = (moment: Instant, now: Instant): boolean => now - moment < HOUR && moment - now <= MINUTE

/** Returns the wrong codes that still count, oldest first. They are stored again at each sign-in, so that none of a clock that was ahead stays. */
export const countedCodes = (wrong: ReadonlyArray<Instant>, now: Instant): ReadonlyArray<Instant> =>
  wrong.filter((moment) => counts(moment, now))

/**
 * Returns the wrong codes to store after another one, oldest first. Ten of them lie within one hour, and the last one began the hour in which
 * codes are refused (M9).
 */
export const withWrongCode = (earlier: ReadonlyArray<Instant>, now: Instant): ReadonlyArray<Instant> =>
  [...countedCodes(earlier, now), now].slice(-ALLOWED_CODES)

/** Returns whether codes of a person with these wrong codes are refused, right ones too (M9). */
export const refusesCodes = (wrong: ReadonlyArray<Instant>, now: Instant): boolean => {
  const last = wrong.at(-1)
  return wrong.length >= ALLOWED_CODES && last !== undefined && counts(last, now)
}
