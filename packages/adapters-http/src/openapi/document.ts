import { SCOPES } from '@almoner/domain/access'
import {
  IMAGE_TYPES,
  MEDIA_PATH,
  PORTFOLIO_IMAGE_PATH,
  RENDITION_FOLDER,
  RENDITION_WIDTHS,
} from '@almoner/domain/media'
import { ACCESS_TOKEN_TYPE, SUBJECT_TOKEN_TYPES, TOKEN_EXCHANGE } from '../oauth.ts'
import { API_ROUTES } from '../routes/index.ts'
import {
  DOCUMENT_PATH,
  LIVE_PATH,
  METADATA_PATH,
  METRICS_PATH,
  READY_PATH,
  REVOKE_PATH,
  TOKEN_PATH,
} from '../settings.ts'
import { operationOf } from './operation.ts'
import { named, responseOf, SHARED_RESPONSES, STRING } from './responses.ts'
import { exampleOf, type JsonSchema, objectOf, templateOf, titled, withNamedSchemas } from './schema.ts'

const form = (
  name: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: ReadonlyArray<string>,
) => {
  const clientId = { ...STRING, description: 'Required unless HTTP Basic is used.', example: 'website' }
  const clientSecret = {
    ...STRING,
    format: 'password',
    description: 'Required unless HTTP Basic is used. Public clients have none.',
    example: 'pXk2…',
  }
  const all = { ...properties, client_id: clientId, client_secret: clientSecret }
  const content = {
    schema: titled(name, objectOf(all, required)),
    example: exampleOf(objectOf(all, [...required, 'client_id', 'client_secret'])),
  }
  return {
    required: true,
    content: { 'application/x-www-form-urlencoded': content, 'application/json': content },
  }
}

const errors = {
  '400': named('OAuthError'),
  '401': named('OAuthClientUnknown'),
  '408': named('OAuthError'),
  '429': named('OAuthBusy'),
  '500': named('OAuthError'),
  '503': named('OAuthUnavailable'),
  default: named('Problem'),
}

const ACCESS_TOKEN = { ...STRING, example: 'V1StGXR8_Z5jdHi6B-myT' }

const token = titled(
  'AccessToken',
  objectOf(
    {
      access_token: ACCESS_TOKEN,
      issued_token_type: { ...STRING, const: ACCESS_TOKEN_TYPE, description: 'Of a token exchange.' },
      token_type: { ...STRING, const: 'Bearer' },
      expires_in: { type: 'integer', description: 'Seconds.', example: 3600 },
      scope: { ...STRING, description: 'Separated by spaces.', example: 'user' },
    },
    ['access_token', 'token_type', 'expires_in', 'scope'],
  ),
)

const strings: JsonSchema = { type: 'array', items: STRING, example: [] }

const ADDRESS = { ...STRING, format: 'uri', example: 'https://api.example.org' }

const metadata = titled(
  'AuthorizationServerMetadata',
  objectOf(
    {
      issuer: ADDRESS,
      token_endpoint: ADDRESS,
      revocation_endpoint: ADDRESS,
      grant_types_supported: strings,
      response_types_supported: strings,
      scopes_supported: strings,
      token_endpoint_auth_methods_supported: strings,
      revocation_endpoint_auth_methods_supported: strings,
      service_documentation: ADDRESS,
    },
    ['issuer', 'token_endpoint', 'response_types_supported'],
  ),
)

/** The OAuth endpoints (A4, A6), whose shapes RFC 6749, 7009 and 8414 give. */
export const OAUTH_PATHS = {
  [TOKEN_PATH]: {
    post: {
      operationId: 'getToken',
      summary: 'Obtain an access token: for a client by its credentials, for a person by token exchange.',
      tags: ['Authentication'],
      security: [{}, { basic: [] }],
      requestBody: form(
        'GetTokenBody',
        {
          grant_type: {
            ...STRING,
            enum: ['client_credentials', TOKEN_EXCHANGE],
            example: 'client_credentials',
          },
          scope: {
            ...STRING,
            description:
              'Separated by spaces. Default: all scopes of the client; of a token exchange, those that people may have.',
          },
          subject_token: {
            ...STRING,
            description: 'Token exchange: an ID token, or the email address of the person.',
          },
          subject_token_type: { ...STRING, enum: Object.keys(SUBJECT_TOKEN_TYPES) },
          requested_token_type: { ...STRING, enum: [ACCESS_TOKEN_TYPE] },
        },
        ['grant_type'],
      ),
      responses: { '200': responseOf('The token.', token), ...errors },
    },
  },
  [REVOKE_PATH]: {
    post: {
      operationId: 'revokeToken',
      summary: 'Revoke an access token.',
      tags: ['Authentication'],
      security: [{}, { basic: [] }],
      requestBody: form('RevokeTokenBody', { token: ACCESS_TOKEN, token_type_hint: STRING }, ['token']),
      responses: { '200': responseOf('The token is revoked.'), ...errors },
    },
  },
  [METADATA_PATH]: {
    get: {
      operationId: 'getAuthorizationServerMetadata',
      summary: 'Fetch the metadata for OAuth clients.',
      tags: ['Authentication'],
      security: [{}],
      responses: {
        '200': responseOf('RFC 8414 metadata.', metadata),
        '431': named('Problem'),
        '500': named('OAuthError'),
        '503': named('OAuthUnavailable'),
        default: named('Problem'),
      },
    },
  },
}

/** An operation that needs no token. */
const open = (operationId: string, summary: string, tag: string, responses: object, more: object = {}) => ({
  get: {
    operationId,
    summary,
    tags: [tag],
    security: [{}],
    ...more,
    responses: {
      ...responses,
      ...Object.fromEntries(['400', '431', '500'].map((status) => [status, named('Problem')])),
      '503': named('Busy'),
      default: named('Problem'),
    },
  },
})

const image = (
  operationId: string,
  summary: string,
  types: ReadonlyArray<string>,
  parameters: ReadonlyArray<object> = [],
) => {
  const bytes = Object.fromEntries(types.map((type) => [type, { schema: {} }]))
  const example = 'XkA3b5Zq9f.jpg'
  const name = { name: 'name', in: 'path', required: true, schema: STRING, example }
  const statuses = {
    '200': { ...responseOf('The image. Its content never changes.'), content: bytes },
    '206': { ...responseOf('The requested range of the image.'), content: bytes },
    '302': responseOf('Redirect to the image.'),
    '304': responseOf('Not modified.'),
    ...Object.fromEntries(['404', '412', '416'].map((status) => [status, named('Problem')])),
  }
  return open(operationId, summary, 'Images', statuses, { parameters: [...parameters, name] })
}

const PORTFOLIO_TYPES = [...IMAGE_TYPES, 'image/svg+xml']

const live = titled('Liveness', objectOf({ status: { ...STRING, const: 'live' } }, undefined, true))

const degraded = { type: 'array', items: STRING, description: 'Problems that do not stop the service.' }
const ready = titled(
  'Readiness',
  objectOf({ status: { ...STRING, const: 'ready' }, degraded }, ['status'], true),
)

const OPEN_API = titled('OpenApi', { type: 'object', example: { openapi: '3.1.0' } })

const headers = {
  ETag: { description: 'Version of the document.', required: true, schema: STRING },
}

/** The operations besides the interface and OAuth (D2, H1, I3): images, and those for operators. */
const OTHER_PATHS = {
  [`${MEDIA_PATH}{name}`]: image('getImage', 'An uploaded image.', IMAGE_TYPES),
  [`${MEDIA_PATH}${RENDITION_FOLDER}{width}/{name}`]: image(
    'getRendition',
    'A rendition of an uploaded image, at most as wide as asked for.',
    ['image/webp'],
    [
      {
        name: 'width',
        in: 'path',
        required: true,
        schema: { type: 'integer', enum: RENDITION_WIDTHS },
        example: 320,
      },
    ],
  ),
  [`${PORTFOLIO_IMAGE_PATH}logo/{name}`]: image('getLogo', 'A logo of the portfolio.', PORTFOLIO_TYPES),
  [`${PORTFOLIO_IMAGE_PATH}visual/{name}`]: image('getVisual', 'A visual of the portfolio.', PORTFOLIO_TYPES),
  [DOCUMENT_PATH]: open('getDocument', 'This document.', 'Operation', {
    '200': responseOf('The document.', OPEN_API, { headers }),
    '304': responseOf('Not modified.', undefined, { headers }),
    '429': named('Busy'),
  }),
  [LIVE_PATH]: open('getLive', 'Check whether the process runs.', 'Operation', {
    '200': responseOf('The process runs.', live),
  }),
  [READY_PATH]: open('getReady', 'Check whether the service is ready.', 'Operation', {
    '200': responseOf('The service is ready.', ready),
  }),
  [METRICS_PATH]: open(
    'getMetrics',
    'Fetch metrics for Prometheus, unless they are served on another port.',
    'Operation',
    {
      '200': responseOf(
        'The metrics.',
        { ...STRING, example: 'almoner_build_info 1' },
        { type: 'text/plain' },
      ),
      '404': named('Problem'),
    },
  ),
}

const DESCRIPTION = `Publications, news, labels, notifications and the portfolio of a foundation for its apps.

Every POST and PUT accepts JSON, a URL-encoded form or a multipart form, with the same meaning. Without \`lim\` a collection is returned
completely; with \`lim\`, the \`Link\` header leads to the next page. Errors are \`application/problem+json\`.`

/** The groups of operations, with their descriptions. */
const TAGS = {
  Library: 'Publications, their labels, translations and history.',
  Feed: 'Posts of donors, their labels and history.',
  Changes: 'What apps that keep a copy have to change in it.',
  'User notification token': 'Devices and preferences of people.',
  'Personal data': 'Own posts, and erasure.',
  Notification: 'Notifications and their delivery.',
  Portfolio: 'Organizations that the foundation supports.',
  Authentication: 'OAuth 2.0.',
  Images: 'Stored images and their renditions.',
  Operation: 'The document, health and metrics.',
}

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

/** The license that both documents state. */
export const LICENSE = { name: 'MIT', identifier: 'MIT' }

/** Returns tags of a document from their descriptions by name. */
export const describedTags = (tags: Readonly<Record<string, string>>) =>
  Object.entries(tags).map(([name, description]) => ({ name, description }))

/** The OpenAPI 3.1 document of the service, derived from its routes and their codecs (I2, I3). */
export const openApiDocument = (version: string, baseUrl: string) =>
  withNamedSchemas({
    openapi: '3.1.0',
    info: {
      title: 'Almoner',
      version,
      description: DESCRIPTION,
      license: LICENSE,
    },
    servers: [{ url: baseUrl }],
    tags: describedTags(TAGS),
    paths: paths(),
    components: {
      securitySchemes: securitySchemes(TOKEN_PATH),
      responses: SHARED_RESPONSES,
    },
  })
