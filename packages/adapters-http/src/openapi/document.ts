import { SCOPES } from '@almoner/domain'
import { TOKEN_PATH } from '../oauth/paths.ts'
import { PROBLEMS } from '../problems/catalogue.ts'
import { API_ROUTES } from '../routes/index.ts'
import { OAUTH_PATHS } from './oauth-operations.ts'
import { operationOf } from './operation.ts'
import { templateOf } from './path.ts'

const fieldFault = {
  type: 'object',
  properties: { field: { type: 'string' }, message: { type: 'string' } },
  required: ['field', 'message'],
}

const problemSchema = {
  type: 'object',
  description: 'RFC 9457 problem details.',
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(PROBLEMS) },
    requestId: { type: 'string' },
    errors: { type: 'array', items: fieldFault, description: 'Every bad field of the request.' },
  },
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
}

const oauthErrorSchema = {
  type: 'object',
  properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  required: ['error'],
}

const DESCRIPTION = `Publications, news, labels, notifications and the portfolio of a foundation for its apps.

Every POST and PUT takes JSON, a form or multipart, with the same meaning. A collection without \`lim\` comes whole; with \`lim\`, follow the
\`Link\` header from page to page. Faults are \`application/problem+json\`.`

const paths = () => {
  const all: Record<string, Record<string, unknown>> = {}
  for (const route of API_ROUTES) {
    const path = templateOf(route.path)
    all[path] = { ...all[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  return { ...all, ...OAUTH_PATHS }
}

const securitySchemes = () => ({
  oauth2: {
    type: 'oauth2',
    flows: {
      clientCredentials: {
        tokenUrl: TOKEN_PATH,
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
  tags: ['Library', 'Feed', 'User notification token', 'Notification', 'Portfolio', 'Authentication'].map(
    (name) => ({
      name,
    }),
  ),
  paths: paths(),
  components: {
    securitySchemes: securitySchemes(),
    responses: {
      Problem: {
        description: 'What is wrong.',
        content: { 'application/problem+json': { schema: problemSchema } },
      },
      OAuthError: {
        description: 'What is wrong, as RFC 6749 has it.',
        content: { 'application/json': { schema: oauthErrorSchema } },
      },
    },
  },
})
