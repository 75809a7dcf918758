import { operationOf } from '../openapi/operation.ts'
import { templateOf } from '../openapi/path.ts'
import { problemResponse, SHARED_RESPONSES } from '../openapi/shared-responses.ts'
import { bySession, OTHER_OPERATIONS } from './operations.ts'
import { CONSOLE_ROUTES } from './routes/index.ts'

const DESCRIPTION = `The routes that only the console has. The routes of the API are under the same URL, with the same meaning, for callers with a
session instead of a token. Requests that change something must come from a page of the service.`

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

const paths = () => {
  const all: Record<string, Record<string, unknown>> = { ...OTHER_OPERATIONS }
  for (const route of CONSOLE_ROUTES) {
    const path = templateOf(route.path)
    all[path] = { ...all[path], [route.method.toLowerCase()]: operationOf(route, bySession(route.access)) }
  }
  return all
}

const TAGS = [
  ...['Session', 'Changes', 'Desk', 'Working copies', 'Readers'],
  ...['Portfolio', 'Notifications', 'Managers', 'Passkeys', 'Passwords', 'Users', 'Clients', 'Operations'],
]

/** The OpenAPI 3.1 document of the routes that only the console has (M7). `baseUrl` is the service's. */
export const consoleDocument = (version: string, baseUrl: string) => ({
  openapi: '3.1.0',
  info: { title: 'Almoner console', version, description: DESCRIPTION },
  servers: [{ url: `${baseUrl}/console/api` }],
  tags: TAGS.map((name) => ({ name })),
  paths: paths(),
  components: {
    securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: '__Host-almoner' } },
    responses: RESPONSES,
  },
})
