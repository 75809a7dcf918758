import { SCOPES } from '@almoner/domain'
import type { FastifyInstance } from 'fastify'
import { METADATA_PATH, REVOKE_PATH, TOKEN_PATH } from '../paths.ts'

/** What clients may find out by themselves (RFC 8414). The issuer is the base URL, with the prefix that the API is under, if any. */
export const metadataOf = (issuer: string) => ({
  issuer,
  token_endpoint: `${issuer}${TOKEN_PATH}`,
  revocation_endpoint: `${issuer}${REVOKE_PATH}`,
  grant_types_supported: ['client_credentials'],
  response_types_supported: [],
  scopes_supported: SCOPES,
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  service_documentation: `${issuer}/docs`,
})

/**
 * A Fastify plugin: the metadata of an API whose address has a path, where clients look for it. RFC 8414 §3.1 puts the well-known name
 * between host and path, `https://host/.well-known/oauth-authorization-server/api`. An application that has the API under a prefix
 * registers this at its root, which no plugin under a prefix can reach; without a prefix the API does so by itself. Adds nothing where the
 * address, as it is known at the time, has no path.
 */
export const discovery =
  (issuer: () => string) =>
  async (app: FastifyInstance): Promise<void> => {
    const path = URL.parse(issuer())?.pathname ?? '/'
    if (path === '/') return
    app.route({
      method: ['GET', 'HEAD'],
      url: `${METADATA_PATH}${path}`,
      handler: async () => metadataOf(issuer()),
    })
  }
