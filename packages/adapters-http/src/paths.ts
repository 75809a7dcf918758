/** The OAuth endpoints: the interface's token endpoint, RFC 7009 and RFC 8414. */
export const TOKEN_PATH = '/oauth2/get-token'
export const REVOKE_PATH = '/oauth2/revoke'
export const METADATA_PATH = '/.well-known/oauth-authorization-server'

/** The health checks (I3). */
export const LIVE_PATH = '/health/live'
export const READY_PATH = '/health/ready'

/** Where any listener serves the metrics (I3). */
export const METRICS_PATH = '/metrics'

/** The console: its pages, and its API below them (M1). */
export const CONSOLE_PATH = '/console'

export const DOCUMENT_PATH = '/openapi.json'
export const DOCS_PATH = '/docs'
