import { CONTENT_TYPES } from '@almoner/domain/history'
import * as t from 'io-ts'
import { LANG, literals, optional, STATUS } from './codecs.ts'

const DeviceDocumentJson = t.strict({ token: t.string, kind: t.string, attachedAt: t.string })

const PostDocumentJson = t.strict({
  itemId: t.string,
  status: STATUS,
  isDonorRestricted: t.boolean,
  lang: LANG,
  itemType: t.string,
  itemTitle: t.string,
  itemDescription: t.string,
  link: t.string,
  vlink: t.string,
  image: t.string,
  createdAt: t.string,
  updatedAt: t.string,
})

const ManagerDocumentJson = t.strict({
  email: t.string,
  name: t.string,
  lang: LANG,
  duty: t.string,
  disabled: t.boolean,
  timeZone: optional(t.string),
})

const ClientDocumentJson = t.strict({
  client_id: t.string,
  name: t.string,
  scope: t.string,
  roles: t.array(t.string),
  email: t.string,
  disabled: t.boolean,
})

/** Everything that the service holds about a person, as `almoner user export` prints it (L2). */
export const PersonalDocumentJson = t.strict({
  email: t.string,
  preference: t.union([t.strict({ lang: LANG, subscribed: t.boolean }), t.null]),
  devices: t.array(DeviceDocumentJson),
  deadDevices: t.array(t.strict({ ...DeviceDocumentJson.type.props, detachedAt: t.string })),
  deliveries: t.array(t.strict({ notificationId: t.string, token: t.string, state: t.string, at: t.string })),
  posts: t.array(PostDocumentJson),
  manager: t.union([ManagerDocumentJson, t.null]),
  number: t.union([t.Int, t.null]),
  passkeys: t.array(
    t.strict({ name: t.string, createdAt: t.string, lastUsedAt: t.union([t.string, t.null]) }),
  ),
  identity: t.union([
    t.strict({ issuer: t.string, subject: t.string, linkedAt: t.string, lastUsedAt: t.string }),
    t.null,
  ]),
  password: t.union([
    t.strict({
      changedAt: t.string,
      lastUsedAt: t.union([t.string, t.null]),
      recoveryCodesLeft: t.Int,
    }),
    t.null,
  ]),
  workingCopies: t.array(
    t.strict({
      key: t.string,
      contentType: literals(CONTENT_TYPES),
      fields: t.record(t.string, t.string),
      updatedAt: t.string,
    }),
  ),
  clients: t.array(ClientDocumentJson),
  responses: t.array(t.strict({ clientId: t.string, at: t.string, body: t.string })),
})
