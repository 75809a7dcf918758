import { DUTY_NAMES } from '@almoner/domain/access'
import type { User } from '@almoner/domain/people'
import type { FoundPeople, FoundPerson, PersonOverview, ShownDevice } from '@almoner/domain/personal-data'
import { type Language, toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, literals, under } from './codecs.ts'

/** Null for a person who never had a device or a preference. */
const PREFERENCE = {
  lang: t.union([LANG, t.null]),
  subscribed: t.union([t.boolean, t.null]),
}

const FoundUserJson = under('user', { number: t.Int, email: t.string, ...PREFERENCE, devices: t.Int })

/** The people that a search has found, by the numbers of the records of changes (K1). */
export const FoundUsersJson = t.strict({ users: t.array(FoundUserJson), hasMore: t.boolean })

const DEVICE = { kind: t.string, lang: PREFERENCE.lang, lastSeenAt: t.string }

/** The data of a person: devices without tokens, and how much of the rest (L2). */
export const UserJson = under('user', {
  number: t.Int,
  email: t.string,
  ...PREFERENCE,
  devices: t.array(t.strict(DEVICE)),
  removedDevices: t.array(t.strict({ ...DEVICE, removedAt: t.string })),
  clients: t.array(t.string),
  duty: t.union([literals(DUTY_NAMES), t.null]),
  posts: t.Int,
  deliveries: t.Int,
  workingCopies: t.Int,
  responses: t.Int,
})

const langOf = (user: O.Option<User>): Language | null => (O.isSome(user) ? user.value.lang : null)

const preferenceOf = (user: O.Option<User>) => ({
  lang: langOf(user),
  subscribed: O.isSome(user) ? user.value.subscribed : null,
})

const encodeFoundUser = ({
  number,
  email,
  user,
  devices,
}: FoundPerson): t.OutputOf<typeof FoundUserJson> => ({
  user: { number: int(number), email, ...preferenceOf(user), devices: int(devices) },
})

/** Writes what a search has found. */
export const encodeFoundUsers = ({ people, hasMore }: FoundPeople): t.OutputOf<typeof FoundUsersJson> => ({
  users: people.map(encodeFoundUser),
  hasMore,
})

/** Apps attach their token at each start, so that a device was last seen when it was last attached (F4). */
const deviceOf =
  (user: O.Option<User>) =>
  ({ kind, attachedAt }: ShownDevice) => ({ kind, lang: langOf(user), lastSeenAt: toRfc3339(attachedAt) })

/** Writes the data of a person. */
export const encodeUser = (person: PersonOverview): t.OutputOf<typeof UserJson> => {
  const { user, manager, devices, deadDevices, posts, deliveries, workingCopies, responses } = person
  const encodeDevice = deviceOf(user)
  return {
    user: {
      number: int(person.number),
      email: person.email,
      ...preferenceOf(user),
      devices: devices.map(encodeDevice),
      removedDevices: deadDevices.map(({ device, detachedAt }) => ({
        ...encodeDevice(device),
        removedAt: toRfc3339(detachedAt),
      })),
      clients: person.clients.map((id) => id),
      duty: O.isSome(manager) ? manager.value.duty : null,
      posts: int(posts),
      deliveries: int(deliveries),
      workingCopies: int(workingCopies),
      responses: int(responses),
    },
  }
}
