import { IMAGE_TYPES, MEDIA_PATH, PORTFOLIO_IMAGE_PATH } from '@almoner/domain'
import { DOCUMENT_PATH, LIVE_PATH, METRICS_PATH, READY_PATH } from '../paths.ts'
import { COMMON_HEADERS } from './headers.ts'
import type { JsonSchema } from './schema.ts'

const named = (name: string) => ({ $ref: `#/components/responses/${name}` })

const answer = (
  description: string,
  content?: Readonly<Record<string, { readonly schema: JsonSchema }>>,
) => ({
  description,
  headers: COMMON_HEADERS,
  ...(content === undefined ? {} : { content }),
})

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

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
  const name = { name: 'name', in: 'path', required: true, schema: { type: 'string' } }
  const statuses = {
    '200': answer('The image, the same for ever.', bytes),
    '206': answer('A part of it.', bytes),
    '302': answer('Where it is.'),
    '304': answer('Not modified.'),
    ...Object.fromEntries(['404', '412', '416'].map((status) => [status, named('Problem')])),
  }
  return open(operationId, summary, 'Images', statuses, { parameters: [name] })
}

const PORTFOLIO_TYPES = [...IMAGE_TYPES, 'image/svg+xml']

const live: JsonSchema = {
  type: 'object',
  properties: { status: { const: 'live' } },
  required: ['status'],
  additionalProperties: false,
}

const ready: JsonSchema = {
  type: 'object',
  properties: {
    status: { const: 'ready' },
    degraded: { type: 'array', items: { type: 'string' }, description: 'What it cannot do meanwhile.' },
  },
  required: ['status'],
  additionalProperties: false,
}

const DOCUMENT_HEADERS = {
  ...COMMON_HEADERS,
  ETag: { description: 'What the document is now.', required: true, schema: { type: 'string' } },
}

const figures = { 'text/plain': { schema: { type: 'string' } } }

/** What a server answers besides the interface and OAuth (D2, H1, I3): images, and what operators look at. */
export const OTHER_PATHS = {
  [`${MEDIA_PATH}{name}`]: image('getImage', 'An uploaded image.', IMAGE_TYPES),
  [`${PORTFOLIO_IMAGE_PATH}logo/{name}`]: image('getLogo', 'A logo of the portfolio.', PORTFOLIO_TYPES),
  [`${PORTFOLIO_IMAGE_PATH}visual/{name}`]: image('getVisual', 'A visual of the portfolio.', PORTFOLIO_TYPES),
  [DOCUMENT_PATH]: open('getDocument', 'This document.', 'Operation', {
    '200': { ...answer('The document.', json({ type: 'object' })), headers: DOCUMENT_HEADERS },
    '304': { ...answer('Not modified.'), headers: DOCUMENT_HEADERS },
    '429': named('Busy'),
  }),
  [LIVE_PATH]: open('getLive', 'Whether the process runs.', 'Operation', {
    '200': answer('It does.', json(live)),
  }),
  [READY_PATH]: open('getReady', 'Whether the service can do its work.', 'Operation', {
    '200': answer('It can.', json(ready)),
  }),
  [METRICS_PATH]: open(
    'getMetrics',
    'Figures for Prometheus, unless they are served elsewhere.',
    'Operation',
    {
      '200': answer('The figures.', figures),
      '404': named('Problem'),
    },
  ),
}
