import { METADATA_PATH, REVOKE_PATH, TOKEN_PATH } from '../paths.ts'
import type { JsonSchema } from './schema.ts'
import { named, responseOf } from './shared-responses.ts'

const string: JsonSchema = { type: 'string' }

const form = (properties: Readonly<Record<string, JsonSchema>>, required: ReadonlyArray<string>) => {
  const schema = {
    type: 'object',
    properties: {
      ...properties,
      client_id: { ...string, description: 'Required unless HTTP Basic is used.' },
      client_secret: { ...string, format: 'password' },
    },
    required,
  }
  return {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } },
  }
}

const errors = {
  '400': named('OAuthError'),
  '401': named('OAuthClientUnknown'),
  '429': named('OAuthBusy'),
  '500': named('OAuthError'),
  '503': named('OAuthUnavailable'),
  default: named('Problem'),
}

const token: JsonSchema = {
  type: 'object',
  properties: {
    access_token: string,
    token_type: { const: 'Bearer' },
    expires_in: { type: 'integer', description: 'Seconds.' },
    scope: string,
  },
  required: ['access_token', 'token_type', 'expires_in', 'scope'],
}

const strings: JsonSchema = { type: 'array', items: string }

const metadata: JsonSchema = {
  type: 'object',
  properties: {
    issuer: string,
    token_endpoint: string,
    revocation_endpoint: string,
    grant_types_supported: strings,
    response_types_supported: strings,
    scopes_supported: strings,
    token_endpoint_auth_methods_supported: strings,
    revocation_endpoint_auth_methods_supported: strings,
    service_documentation: string,
  },
  required: ['issuer', 'token_endpoint', 'response_types_supported'],
}

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
          scope: { ...string, description: 'Separated by spaces. Default: all scopes of the client.' },
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
      requestBody: form({ token: string, token_type_hint: string }, ['token']),
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
