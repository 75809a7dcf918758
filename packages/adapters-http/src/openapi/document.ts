import { SCOPES } from '@almoner/domain/access'
import { TOKEN_PATH } from '../paths.ts'
import { API_ROUTES } from '../routes/index.ts'
import { OAUTH_PATHS } from './oauth-operations.ts'
import { operationOf } from './operation.ts'
import { OTHER_PATHS } from './other-operations.ts'
import { templateOf } from './path.ts'
import { SHARED_RESPONSES } from './shared-responses.ts'

const DESCRIPTION = `Publications, news, labels, notifications and the portfolio of a foundation for its apps.

Every POST and PUT accepts JSON, a URL-encoded form or a multipart form, with the same meaning. Without \`lim\` a collection is returned
completely; with \`lim\`, the \`Link\` header leads to the next page. Errors are \`application/problem+json\`.`

const TAGS = [
  'Library',
  'Feed',
  'User notification token',
  'Personal data',
  'Notification',
  'Portfolio',
  'Authentication',
  'Images',
  'Operation',
]

const paths = () => {
  const all: Record<string, Record<string, unknown>> = {}
  for (const route of API_ROUTES) {
    const path = templateOf(route.path)
    all[path] = { ...all[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return { ...all, ...OAUTH_PATHS, ...OTHER_PATHS }
}

/** The ways to show who calls (A4, A5), by name. */
export const securitySchemes = (tokenUrl: string) => ({
  oauth2: {
    type: 'oauth2',
    flows: {
      clientCredentials: {
        tokenUrl,
        scopes: Object.fromEntries(SCOPES.map((scope) => [scope, `Scope ${scope}`])),
      },
    },
  },
  bearer: { type: 'http', scheme: 'bearer' },
  access_token: { type: 'apiKey', in: 'query', name: 'access_token' },
  basic: { type: 'http', scheme: 'basic' },
})

/** The OpenAPI 3.1 document of the service, derived from its routes and their codecs (I2, I3). */
export const openApiDocument = (version: string, baseUrl: string) => ({
  openapi: '3.1.0',
  info: { title: 'Almoner', version, description: DESCRIPTION },
  servers: [{ url: baseUrl }],
  tags: TAGS.map((name) => ({ name })),
  paths: paths(),
  components: {
    securitySchemes: securitySchemes(TOKEN_PATH),
    responses: SHARED_RESPONSES,
  },
})
