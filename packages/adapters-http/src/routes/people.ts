import { AttachDevice, DetachDevice, type Device, OneUser, SetPreference } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { asJson, many } from '../responses/collection.ts'
import { json } from '../responses/route-response.ts'
import { type Route, route } from '../route.ts'
import { encodePreference, encodeToken, PreferenceAnswer, TokenAnswer } from '../serializers/people.ts'
import { SUCCESS, SuccessAnswer } from '../serializers/success.ts'
import { answered } from './answered.ts'

const tag = 'User notification token'

const TOKENS = '/user/:email/notification/token'
const PREFERENCE = '/user/:email/notification/preference'

/** Tokens take no `lim`, so that no page of theirs has a next one. */
const NEVER = (place: never): string => place

/** The interface's table *User notification token*, and the preference that goes with it (F2). */
export const PEOPLE_ROUTES: ReadonlyArray<Route> = [
  route({
    method: 'GET',
    path: TOKENS,
    name: 'listTokens',
    summary: "List a user's device tokens.",
    tag,
    access: 'actForUser',
    parameters: OneUser,
    answer: { kind: 'collection', key: 'tokens', codec: TokenAnswer, paged: false },
    faults: [400],
    alsoUnmet: (services) => services.unmetSubject,
    handle: (services) => (ask, asked) =>
      pipe(
        services.listDevices(ask.caller, asked),
        TE.map(many({ key: 'tokens', text: asJson(encodeToken), placeText: NEVER })),
      ),
  }),
  route({
    method: 'POST',
    path: TOKENS,
    name: 'attachToken',
    summary: 'Attach a device token to a user. A token of another user moves.',
    tag,
    access: 'actForUser',
    parameters: AttachDevice,
    answer: { kind: 'one', codec: TokenAnswer },
    faults: [400],
    alsoUnmet: (services) => services.unmetAttachment,
    handle: (services) => (ask, command) =>
      answered(
        ask,
        (device: Device) => json(encodeToken(device)),
        (receipt) => services.attachDevice(ask.caller, command, receipt),
      ),
  }),
  route({
    method: 'DELETE',
    path: `${TOKENS}/:token`,
    name: 'detachToken',
    summary: 'Detach a device token from a user.',
    tag,
    access: 'actForUser',
    parameters: DetachDevice,
    answer: { kind: 'one', codec: SuccessAnswer },
    faults: [400, 404],
    alsoUnmet: (services) => services.unmetSubject,
    handle: (services) => (ask, which) =>
      pipe(
        services.detachDevice(ask.caller, which),
        TE.map(() => SUCCESS),
      ),
  }),
  route({
    method: 'GET',
    path: PREFERENCE,
    name: 'getPreference',
    summary: "Fetch a user's language, and whether the user wants notifications.",
    tag,
    access: 'actForUser',
    parameters: OneUser,
    answer: { kind: 'one', codec: PreferenceAnswer },
    faults: [400, 404],
    alsoUnmet: (services) => services.unmetSubject,
    handle: (services) => (ask, asked) =>
      pipe(
        services.getPreference(ask.caller, asked),
        TE.map((user) => json(encodePreference(user))),
      ),
  }),
  route({
    method: 'PUT',
    path: PREFERENCE,
    name: 'setPreference',
    summary: "Change a user's preference; what is left out stays. An unknown user is made.",
    tag,
    access: 'actForUser',
    parameters: SetPreference,
    answer: { kind: 'one', codec: PreferenceAnswer },
    faults: [400],
    alsoUnmet: (services) => services.unmetSubject,
    handle: (services) => (ask, command) =>
      pipe(
        services.setPreference(ask.caller, command),
        TE.map((user) => json(encodePreference(user))),
      ),
  }),
]
