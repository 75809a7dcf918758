/** Where operators and readers look (I3). */
export const LIVE_PATH = '/health/live'
export const READY_PATH = '/health/ready'

/** Where figures are served, of whichever listener serves them (I3). */
export const METRICS_PATH = '/metrics'
export const DOCUMENT_PATH = '/openapi.json'
export const DOCS_PATH = '/docs'
