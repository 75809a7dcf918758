import { IMAGE_TYPES, MEDIA_PATH, PORTFOLIO_IMAGE_PATH } from '@almoner/domain/media'
import { DOCUMENT_PATH, LIVE_PATH, METRICS_PATH, READY_PATH } from '../paths.ts'
import { objectOf } from './schema.ts'
import { named, responseOf, STRING } from './shared-responses.ts'

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

const image = (operationId: string, summary: string, types: ReadonlyArray<string>) => {
  const bytes = Object.fromEntries(types.map((type) => [type, { schema: {} }]))
  const name = { name: 'name', in: 'path', required: true, schema: STRING }
  const statuses = {
    '200': { ...responseOf('The image. Its content never changes.'), content: bytes },
    '206': { ...responseOf('The requested range of the image.'), content: bytes },
    '302': responseOf('Redirect to the image.'),
    '304': responseOf('Not modified.'),
    ...Object.fromEntries(['404', '412', '416'].map((status) => [status, named('Problem')])),
  }
  return open(operationId, summary, 'Images', statuses, { parameters: [name] })
}

const PORTFOLIO_TYPES = [...IMAGE_TYPES, 'image/svg+xml']

const live = objectOf({ status: { const: 'live' } }, undefined, true)

const degraded = { type: 'array', items: STRING, description: 'Problems that do not stop the service.' }
const ready = objectOf({ status: { const: 'ready' }, degraded }, ['status'], true)

const headers = {
  ETag: { description: 'Version of the document.', required: true, schema: STRING },
}

/** The operations besides the interface and OAuth (D2, H1, I3): images, and those for operators. */
export const OTHER_PATHS = {
  [`${MEDIA_PATH}{name}`]: image('getImage', 'An uploaded image.', IMAGE_TYPES),
  [`${PORTFOLIO_IMAGE_PATH}logo/{name}`]: image('getLogo', 'A logo of the portfolio.', PORTFOLIO_TYPES),
  [`${PORTFOLIO_IMAGE_PATH}visual/{name}`]: image('getVisual', 'A visual of the portfolio.', PORTFOLIO_TYPES),
  [DOCUMENT_PATH]: open('getDocument', 'This document.', 'Operation', {
    '200': responseOf('The document.', { type: 'object' }, { headers }),
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
      '200': responseOf('The metrics.', STRING, { type: 'text/plain' }),
      '404': named('Problem'),
    },
  ),
}
