import { METADATA_PATH, REVOKE_PATH, TOKEN_PATH } from '../paths.ts'
import { type JsonSchema, objectOf } from './schema.ts'
import { named, responseOf, STRING } from './shared-responses.ts'

const form = (properties: Readonly<Record<string, JsonSchema>>, required: ReadonlyArray<string>) => {
  const clientId = { ...STRING, description: 'Required unless HTTP Basic is used.' }
  const clientSecret = { ...STRING, format: 'password' }
  const schema = objectOf({ ...properties, client_id: clientId, client_secret: clientSecret }, required)
  return {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } },
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

const token = objectOf({
  access_token: STRING,
  token_type: { const: 'Bearer' },
  expires_in: { type: 'integer', description: 'Seconds.' },
  scope: STRING,
})

const strings: JsonSchema = { type: 'array', items: STRING }

const metadata = objectOf(
  {
    issuer: STRING,
    token_endpoint: STRING,
    revocation_endpoint: STRING,
    grant_types_supported: strings,
    response_types_supported: strings,
    scopes_supported: strings,
    token_endpoint_auth_methods_supported: strings,
    revocation_endpoint_auth_methods_supported: strings,
    service_documentation: STRING,
  },
  ['issuer', 'token_endpoint', 'response_types_supported'],
)

/** The OAuth endpoints (A4, A6), whose shapes RFC 6749, 7009 and 8414 give. */
export const OAUTH_PATHS = {
  [TOKEN_PATH]: {
    post: {
      operationId: 'getToken',
      summary: 'Obtain an access token by the client credentials grant.',
      tags: ['Authentication'],
      security: [{}, { basic: [] }],
      requestBody: form(
        {
          grant_type: { const: 'client_credentials' },
          scope: { ...STRING, description: 'Separated by spaces. Default: all scopes of the client.' },
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
      requestBody: form({ token: STRING, token_type_hint: STRING }, ['token']),
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
        '500': named('OAuthError'),
        '503': named('OAuthUnavailable'),
        default: named('Problem'),
      },
    },
  },
}
