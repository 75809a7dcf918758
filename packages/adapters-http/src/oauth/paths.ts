/** Where the OAuth endpoints are: the interface's token endpoint, RFC 7009 and RFC 8414. */
export const TOKEN_PATH = '/oauth2/get-token'
export const REVOKE_PATH = '/oauth2/revoke'
export const METADATA_PATH = '/.well-known/oauth-authorization-server'
