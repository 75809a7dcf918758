import { problemResponse, SHARED_RESPONSES } from '../openapi/shared-responses.ts'
import { API_ROUTES } from '../routes/index.ts'
import { cookieNameOf } from './cookie.ts'
import { bySession, OTHER_OPERATIONS, operationsByPath } from './operations.ts'
import { CONSOLE_ROUTES } from './routes/index.ts'

const CHALLENGE = {
  'WWW-Authenticate': {
    description: 'Authentication by the cookie of a session.',
    required: true,
    schema: { type: 'string', pattern: '^Cookie ' },
  },
}

const { Problem, Conflict, Busy, Unavailable } = SHARED_RESPONSES

/** The shared responses of the console: a caller is known by a session. */
const RESPONSES = {
  ...{ Problem, Conflict, Busy, Unavailable },
  Refused: problemResponse('The request is not valid, or the session does not allow it.'),
  Unauthorized: problemResponse('There is no session, or the link is not valid.', CHALLENGE),
}

/** The operations of the API that need a proof of presence of a session, as a sentence of the document (M10). */
const NEEDING_PRESENCE = API_ROUTES.flatMap(({ operation, access: { presence } }) =>
  presence === undefined ? [] : [`\`${operation}\`${presence === 'always' ? '' : ' of a large push'}`],
).join(', ')

const TAGS = [
  ...['Session', 'Changes', 'Desk', 'Working copies', 'Readers'],
  ...['Portfolio', 'Notifications', 'Managers', 'Passkeys', 'Passwords', 'Users', 'Clients', 'Operations'],
]

const DESCRIPTION = `The routes that only the console has. The routes of the API are under the same URL, with the same meaning, for callers with a
session instead of a token. Requests that change something must come from a page of the service. What needs a recent proof of presence is
refused with 403 and the code \`presence_required\` if the last sign-in is five minutes old. Of the routes of the API these are ${NEEDING_PRESENCE}.`

/** The OpenAPI 3.1 document of the routes that only the console has (M7). `baseUrl` is the service's. */
export const consoleDocument = (version: string, baseUrl: string) => ({
  openapi: '3.1.0',
  info: { title: 'Almoner console', version, description: DESCRIPTION },
  servers: [{ url: `${baseUrl}/console/api` }],
  tags: TAGS.map((name) => ({ name })),
  paths: { ...OTHER_OPERATIONS, ...operationsByPath(CONSOLE_ROUTES, ({ access }) => bySession(access)) },
  components: {
    securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: cookieNameOf(baseUrl) } },
    responses: RESPONSES,
  },
})
