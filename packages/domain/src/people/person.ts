import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import { type Email, lowerCased, unicodeHost, withoutSpaceAround } from '../values/addresses.ts'
import type { ClientId } from '../values/ids.ts'
import { integer, isStorable, NOT_STORABLE, nfcOf, refined } from '../values/refined.ts'
import type { Instant } from '../values/time.ts'
import type { Device, User } from './model.ts'
import type { PersonalRecord } from './personal-record.ts'

/** A person about whom something is stored, as a search finds it. */
export interface FoundPerson {
  /** The number under which the records of changes name the person (K1). URLs have it in the place of the address. */
  readonly number: number
  readonly email: Email
  /** None for a person who never had a device or a preference, as one who only writes posts. */
  readonly user: O.Option<User>
  /** The number of attached devices. */
  readonly devices: number
}

/** Everything that is stored about a person, with the address. */
export interface NumberedPerson {
  readonly number: number
  readonly email: Email
  readonly record: PersonalRecord
}

/** A device without its token. */
export type ShownDevice = Pick<Device, 'kind' | 'attachedAt'>

/** An overview of a person's data: devices without tokens, and how much there is of the rest (L2). */
export interface PersonOverview {
  readonly number: number
  readonly email: Email
  readonly user: PersonalRecord['user']
  readonly manager: PersonalRecord['manager']
  readonly devices: ReadonlyArray<ShownDevice>
  readonly deadDevices: ReadonlyArray<{ readonly device: ShownDevice; readonly detachedAt: Instant }>
  readonly clients: ReadonlyArray<ClientId>
  readonly posts: number
  readonly deliveries: number
  readonly workingCopies: number
  readonly responses: number
}

const withoutToken = ({ kind, attachedAt }: Device): ShownDevice => ({ kind, attachedAt })

/** Leaves the device tokens of a person out: seeing them needs a proof of presence (M10). */
export const overviewOf = ({ number, email, record }: NumberedPerson): PersonOverview => ({
  number,
  email,
  user: record.user,
  manager: record.manager,
  devices: record.devices.map(withoutToken),
  deadDevices: record.deadDevices.map(({ device, detachedAt }) => ({
    device: withoutToken(device),
    detachedAt,
  })),
  clients: record.clients.map(({ id }) => id),
  posts: record.posts.length,
  deliveries: record.deliveries.length,
  workingCopies: record.workingCopies.length,
  responses: record.responses.length,
})

/** The greatest number that every store can hold. */
const LARGEST = 2147483647

/** Reads the number of a person (K1). */
export const PersonNumber = integer(
  'PersonNumber',
  1,
  LARGEST,
  'Number under which the records of changes name the person.',
)

const MAX = 254

/** Returns a part of an address in the form of whole ones (F1): what follows the sign, or names an internationalized host, is a host. */
const searched = (part: string): string => {
  const at = part.lastIndexOf('@')
  const isHost = at >= 0 || /(?:^|\.)xn--/i.test(part)
  return isHost ? `${lowerCased(part.slice(0, at + 1))}${unicodeHost(part.slice(at + 1))}` : lowerCased(part)
}

/** Reads an address or a part of one, in lower case and NFC as addresses are stored (F1, B6). */
export const AddressPart = refined<string>(
  'AddressPart',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    const part = nfcOf(withoutSpaceAround(sent))
    const text = part.length <= MAX ? searched(part) : part
    return text !== '' && text.length <= MAX ? E.right(text) : E.left(`must have 1 to ${MAX} characters`)
  },
  { type: 'string', description: 'Email address, or a part of one.', minLength: 1, maxLength: MAX },
)
