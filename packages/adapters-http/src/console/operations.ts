import { REQUIREMENTS, type Requirement } from '@almoner/domain/access'
import { LARGE_PUSH } from '@almoner/domain/notifications'
import { Language, parameters, refined, TimeZone } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { type OperationAccess, operationOf } from '../openapi/operation.ts'
import { contentOf, named, responseOf, STRING } from '../openapi/responses.ts'
import { objectOf, schemaOf, templateOf, titled } from '../openapi/schema.ts'
import type { RouteDescription } from '../route.ts'
import { EndedJson, OneSessionJson, SessionJson, ShownLinkJson } from '../serializers/managers.ts'
import { OIDC_SIGN_IN } from './oidc.ts'
import { OWN_PASSKEYS, PASSKEY_SIGN_IN } from './passkeys.ts'
import { OWN_PASSWORD, PASSWORD_SIGN_IN } from './passwords.ts'
import { OWN_WAITING_FEED } from './waiting-feed.ts'

const LinkSecret = refined<string>('LinkSecret', E.right, {
  type: 'string',
  description: 'Secret of a sign-in link.',
})

/** Parameters of POST /sign-in/link. */
export const SignIn = parameters({ name: 'SignIn', required: { token: LinkSecret }, optional: {} })

/** Parameters of GET and DELETE /session. */
const NoParameters = parameters({ name: 'NoParameters', required: {}, optional: {} })

/** Parameters of PUT /session/language. */
const SetLanguage = parameters({ name: 'SetLanguage', required: { lang: Language }, optional: {} })

/** Parameters of PUT /session/time-zone; without a zone it is that of the service. */
const SetTimeZone = parameters({ name: 'SetTimeZone', required: {}, optional: { timeZone: TimeZone } })

const PRESENCE = {
  always: ['The last sign-in must be less than five minutes ago.'],
  'large-push': [
    `For a dated notification to ${LARGE_PUSH} devices or more the last sign-in must be less than five minutes ago.`,
  ],
} as const

/** Describes access by a session (M4, M10). */
export const bySession = ({
  role,
  presence,
}: Pick<Requirement, 'role' | 'presence'> = {}): OperationAccess => ({
  description: [
    'Requires a session.',
    ...(role === undefined ? [] : [`The duty must grant the role \`${role}\`.`]),
    ...(presence === undefined ? [] : PRESENCE[presence]),
  ].join(' '),
  security: [{ session: [] }],
})

const OWN = { tag: 'Session', access: REQUIREMENTS.useOwnAccount, parameters: NoParameters } as const
const CHOICE = {
  method: 'PUT',
  tag: 'Session',
  access: REQUIREMENTS.useOwnAccount,
  response: { kind: 'one', codec: SessionJson },
} as const

/** The operations on one's own session, and on all sessions of the same manager (M2, M4). */
export const OWN_SESSIONS = {
  show: {
    ...OWN,
    method: 'GET',
    path: '/session',
    operation: 'showSession',
    summary: 'Show the session: its manager, scopes and ends.',
    response: { kind: 'one', codec: SessionJson },
  },
  signOut: {
    ...OWN,
    method: 'DELETE',
    path: '/session',
    operation: 'signOut',
    summary: 'End the session.',
    response: { kind: 'empty' },
  },
  setLanguage: {
    ...CHOICE,
    path: '/session/language',
    operation: 'setLanguage',
    summary: 'Choose the language of the pages.',
    parameters: SetLanguage,
  },
  setTimeZone: {
    ...CHOICE,
    path: '/session/time-zone',
    operation: 'setTimeZone',
    summary: 'Choose the time zone of the pages.',
    parameters: SetTimeZone,
  },
  list: {
    ...OWN,
    method: 'GET',
    path: '/sessions',
    operation: 'listOwnSessions',
    summary: 'List the open sessions of the signed-in manager, newest first.',
    response: { kind: 'collection', key: 'sessions', codec: OneSessionJson, paged: false },
  },
  endOthers: {
    ...OWN,
    method: 'DELETE',
    path: '/sessions',
    operation: 'endOtherSessions',
    summary: 'End all other sessions of the signed-in manager.',
    response: { kind: 'one', codec: EndedJson },
  },
} as const satisfies Readonly<Record<string, RouteDescription>>

const faults = (...statuses: ReadonlyArray<number>) => ({
  ...Object.fromEntries(
    [400, 403, 431, 500, ...statuses].map((status) => [String(status), named('Problem')]),
  ),
  '429': named('Busy'),
  '503': named('Unavailable'),
  default: named('Problem'),
})

const signIn = {
  operationId: 'signIn',
  summary: 'Open a session by the secret of a sign-in link, which works once.',
  description: 'Needs no session. The response sets the cookie of the new one.',
  tags: ['Session'],
  security: [{}],
  requestBody: {
    required: true,
    content: {
      'application/json': contentOf(titled('SignInBody', objectOf({ token: schemaOf(LinkSecret) }))),
    },
  },
  responses: {
    '200': responseOf('The session.', schemaOf(SessionJson)),
    '401': named('Unauthorized'),
    ...faults(408, 413, 415),
  },
}

const showLink = {
  operationId: 'showSignInLink',
  summary:
    'Show whom a sign-in link signs in, and who else is signed in in this browser. The link still works afterwards.',
  description: 'Needs no session.',
  tags: ['Session'],
  security: [{}],
  requestBody: signIn.requestBody,
  responses: {
    '200': responseOf('The manager of the link.', schemaOf(ShownLinkJson)),
    '401': named('Unauthorized'),
    ...faults(413, 415),
  },
}

const watchChanges = {
  operationId: 'watchChanges',
  summary: 'Listen for changes: server-sent events named `change`.',
  ...bySession(),
  tags: ['Changes'],
  responses: {
    '200': responseOf('Events, until the session or the server ends.', STRING, { type: 'text/event-stream' }),
    '401': named('Unauthorized'),
    ...faults(),
  },
}

/** The routes that work on the session and its manager, and set cookies or check passkeys and passwords (M4). */
export const SESSION_ROUTES: ReadonlyArray<RouteDescription> = [
  ...Object.values(OWN_SESSIONS),
  ...Object.values(OWN_PASSKEYS),
  ...Object.values(OWN_PASSWORD),
  ...Object.values(OWN_WAITING_FEED),
]

/** Access to an operation that opens a session. */
const OPEN: OperationAccess = { description: 'Needs no session.', security: [{}] }

const SIGN_INS: ReadonlyArray<RouteDescription> = [
  PASSWORD_SIGN_IN,
  PASSKEY_SIGN_IN.finish,
  PASSKEY_SIGN_IN.start,
  OIDC_SIGN_IN.finish,
  OIDC_SIGN_IN.start,
  PASSKEY_SIGN_IN.methods,
]

/** Returns the operations of routes by path and method, as OpenAPI has them. */
export const operationsByPath = (
  routes: ReadonlyArray<RouteDescription>,
  access: (route: RouteDescription) => OperationAccess,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
  const all: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = templateOf(route.path)
    all[path] = { ...all[path], [route.method.toLowerCase()]: operationOf(route, access(route)) }
  }
  return all
}

/** The operations of the console that are no routes of its list: of sessions, whose responses set a cookie, and of changes. */
export const OTHER_OPERATIONS = {
  '/sign-in/link': { post: signIn },
  '/sign-in/link/person': { post: showLink },
  ...operationsByPath(SESSION_ROUTES, ({ access }) => bySession(access)),
  ...operationsByPath(SIGN_INS, () => OPEN),
  '/events': { get: watchChanges },
}
