import * as O from 'fp-ts/lib/Option.js'
import { clientDocument } from '../access/model.ts'
import type { FeedItem } from '../content/model.ts'
import { identityDocument, passkeyDocument, passwordDocument } from '../managers/credentials.ts'
import { managerDocument } from '../managers/model.ts'
import type { WorkingCopy } from '../managers/working-copy.ts'
import { MEDIA_PATH } from '../media/model.ts'
import { type Instant, toRfc3339 } from '../values/time.ts'
import type { DeadDevice, Device, User } from './model.ts'
import type { NumberedPerson } from './person.ts'
import type { PersonalDelivery } from './personal-record.ts'

const orEmpty = <A extends string>(text: O.Option<A>): string => (O.isSome(text) ? text.value : '')

const timeOrEmpty = (time: O.Option<Instant>): string => orEmpty(O.map(toRfc3339)(time))

const preferenceDocument = ({ lang, subscribed }: User) => ({ lang, subscribed })

const deviceDocument = ({ token, kind, attachedAt }: Device) => ({
  token,
  kind,
  attachedAt: toRfc3339(attachedAt),
})

const deadDeviceDocument = ({ device, detachedAt }: DeadDevice) => ({
  ...deviceDocument(device),
  detachedAt: toRfc3339(detachedAt),
})

const deliveryDocument = ({ notificationId, token, state, at }: PersonalDelivery) => ({
  notificationId: orEmpty(notificationId),
  token: orEmpty(token),
  state,
  at: timeOrEmpty(at),
})

const imagePath = ({ content: { image } }: FeedItem): string =>
  O.isSome(image) ? `${MEDIA_PATH}${image.value}` : ''

const postDocument = (item: FeedItem) => ({
  itemId: item.id,
  status: item.status,
  isDonorRestricted: item.isDonorRestricted,
  lang: item.lang,
  itemType: item.content.kind,
  itemTitle: item.title,
  itemDescription: item.description,
  link: orEmpty(item.content.link),
  vlink: orEmpty(item.content.vlink),
  image: imagePath(item),
  createdAt: toRfc3339(item.createdAt),
  updatedAt: toRfc3339(item.updatedAt),
})

const copyDocument = ({ key, contentType, fields, updatedAt }: WorkingCopy) => ({
  key,
  contentType,
  fields,
  updatedAt: toRfc3339(updatedAt),
})

/** Everything that the service holds about a person, as JSON (L2). */
export type PersonalDocument = ReturnType<typeof personalDocument>

/** Returns everything that the service holds about a person as JSON (L2). Absent text is empty. */
export const personalDocument = ({ email, record }: Pick<NumberedPerson, 'email' | 'record'>) => ({
  email,
  preference: O.toNullable(O.map(preferenceDocument)(record.user)),
  devices: record.devices.map(deviceDocument),
  deadDevices: record.deadDevices.map(deadDeviceDocument),
  deliveries: record.deliveries.map(deliveryDocument),
  posts: record.posts.map(postDocument),
  manager: O.toNullable(O.map(managerDocument)(record.manager)),
  number: O.toNullable(record.number),
  passkeys: record.passkeys.map(passkeyDocument),
  identity: O.toNullable(O.map(identityDocument)(record.identity)),
  password: O.toNullable(O.map(passwordDocument)(record.password)),
  workingCopies: record.workingCopies.map(copyDocument),
  clients: record.clients.map(clientDocument),
  responses: record.responses.map(({ clientId, at, body }) => ({ clientId, at: toRfc3339(at), body })),
})
