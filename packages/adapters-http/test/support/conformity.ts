import {
  type Document,
  type DocumentedOperation,
  type DocumentedResponse,
  documentedAnswer,
  readConsoleDocument,
  readDocument,
  validatorOf,
  withoutReferences,
} from './document.ts'

/** An answer, and what it answers. */
export interface Exchange {
  readonly method: string
  /** As the request line had it: a path, perhaps with a query. */
  readonly target: string
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** What stands in the body; undefined when only the head of the answer is looked at. */
  readonly body: string | undefined
}

type Findings = ReadonlyArray<string>

/** A path of the document: what it looks like, and what may be done there. */
interface Template {
  readonly path: string
  readonly pattern: RegExp
  readonly operations: Readonly<Record<string, DocumentedOperation>>
}

/** HTML pages, which the document does not describe. */
const UNDESCRIBED = /^\/docs(?:\/|$)/

/** What stands for a name in a path: one of its words where it has some, else anything that is one segment. */
const segment = (name: string, operations: Template['operations']): string => {
  const parameter = Object.values(operations)
    .flatMap(({ parameters = [] }) => parameters)
    .find((one) => one.in === 'path' && one.name === name)
  const words = parameter?.schema['enum'] as ReadonlyArray<string> | undefined
  return words === undefined ? '[^/]+' : `(?:${words.join('|')})`
}

const literal = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')

/** With and without the slash at the end is one path (B3). */
const merged = (document: Document): ReadonlyMap<string, Template['operations']> => {
  const all = new Map<string, Template['operations']>()
  for (const [path, operations] of Object.entries(document.paths)) {
    const one = path.replace(/\/$/, '')
    all.set(one, { ...all.get(one), ...operations })
  }
  return all
}

const templatesOf = (document: Document): ReadonlyArray<Template> =>
  [...merged(document)]
    .map(([path, operations]) => {
      const inside = path
        .split(/\{([^}]+)\}/)
        .map((part, at) => (at % 2 === 1 ? segment(part, operations) : literal(part)))
      return { path, operations, pattern: new RegExp(`^${inside.join('')}/?$`) }
    })
    // A word goes before a name that could stand in its place.
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)

const CONDITIONAL = ['allow', 'etag', 'link', 'retry-after', 'www-authenticate']

const headersOf = (answer: DocumentedResponse, headers: Exchange['headers'], isImage: boolean): Findings => {
  const told = Object.entries(answer.headers ?? {}).map(([name, one]) => [name.toLowerCase(), one] as const)
  const names = new Set(told.map(([name]) => name))
  const untold = CONDITIONAL.filter((name) => headers[name] !== undefined && !names.has(name))
  return [
    ...told.flatMap(([name, { required = false, schema }]) => {
      const value = headers[name]
      if (value === undefined) return required ? [`lacks the header ${name}`] : []
      return validatorOf(schema)(value) ? [] : [`header ${name} is not as documented`]
    }),
    ...(isImage ? [] : untold.map((name) => `header ${name} is not documented`)),
  ]
}

const read = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const bodyOf = (answer: DocumentedResponse, { headers, body }: Exchange): Findings => {
  const type = headers['content-type']?.split(';')[0]
  if (answer.content === undefined) return (body ?? '') === '' ? [] : ['has a body, which is not documented']
  const content = answer.content[type ?? '']
  if (content === undefined) return [`content type ${type} is not documented`]
  if (body === undefined || !/[/+]json$/.test(type ?? '')) return []
  const validate = validatorOf(content.schema)
  return validate(read(body))
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `body ${instancePath} ${message}`)
}

/** Only a write of unknown outcome may not say when to try again (I5), which a schema of header fields cannot say. */
const retryOf = ({ status, headers, body }: Exchange): Findings =>
  status !== 503 || headers['retry-after'] !== undefined || body?.includes('"outcome_unknown"') !== false
    ? []
    : ['lacks the header retry-after']

const agrees = (exchange: Exchange, answer: DocumentedResponse, isImage = false): Findings => {
  const head = [...headersOf(answer, exchange.headers, isImage), ...retryOf(exchange)]
  const isBodyless = exchange.method === 'HEAD' || exchange.status === 304
  return isBodyless ? head : [...head, ...bodyOf(answer, exchange)]
}

/** The methods that a path takes, as Allow has them (B3). */
const methodsOf = ({ operations }: Template): ReadonlyArray<string> => {
  const own = Object.keys(operations).map((method) => method.toUpperCase())
  return [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
}

/** What B3 says of methods that a path does not take, and of OPTIONS, none of which a document can describe. */
const untaken = (document: Document, exchange: Exchange, template: Template): Findings => {
  const { method, status, headers, body } = exchange
  const allow = headers['allow']?.split(', ').sort() ?? []
  const wrong = String(allow) === String(methodsOf(template)) ? [] : [`Allow says ${allow}`]
  if (method === 'OPTIONS' && status === 204)
    return [...wrong, ...((body ?? '') === '' ? [] : ['204 with a body'])]
  const problem = document.components.responses['Problem'] ?? {}
  return status === 405 ? [...wrong, ...agrees(exchange, problem)] : fault(document, exchange)
}

/** Responses without an operation in the document must be problems, except OPTIONS of the server and of possible files. */
const fault = (document: Document, exchange: Exchange): Findings => {
  const { method, target, status } = exchange
  if (method === 'OPTIONS' && status === 204 && (target === '*' || target.startsWith('/static/'))) return []
  const problem = document.components.responses[status === 503 ? 'Busy' : 'Problem'] ?? {}
  return status < 400 ? ['is not documented'] : agrees(exchange, problem)
}

/** The path of a request line, decoded, with nothing that a router would read as something else; absolute form is allowed (RFC 9112 §3.2.2). */
const pathOf = (target: string): string | undefined => {
  const [path = ''] = target.replace(/^https?:\/\/[^/]*/, '').split(/[?;#]/)
  try {
    // A slash that is part of a name is not one between names.
    return path
      .split('/')
      .map((part) => decodeURIComponent(part).replaceAll('/', '_'))
      .join('/')
  } catch {
    return undefined
  }
}

/** Returns what an answer has that a document does not say, or lacks of what it says. */
export type Disagreements = (exchange: Exchange) => Findings

const compare = (document: Document, exchange: Exchange, template: Template): Findings => {
  const { method, status } = exchange
  const operation = template.operations[method === 'HEAD' ? 'get' : method.toLowerCase()]
  if (operation === undefined) return untaken(document, exchange, template)
  if (!(String(status) in operation.responses)) return [`status ${status} is not documented`]
  const answer = documentedAnswer(document, operation, status) ?? {}
  return agrees(exchange, answer, operation.tags[0] === 'Images')
}

/** Makes the comparison with a document: of status, content type, headers and body. It finds nothing when all is well. */
export const disagreementsWith = (document: Document): Disagreements => {
  const templates = templatesOf(document)
  return (exchange) => {
    const path = pathOf(exchange.target)
    if (path !== undefined && UNDESCRIBED.test(path)) return []
    const template = path === undefined ? undefined : templates.find(({ pattern }) => pattern.test(path))
    return template === undefined ? fault(document, exchange) : compare(document, exchange, template)
  }
}

const CONSOLE = '/console/api'

const withApi = disagreementsWith(withoutReferences(readDocument()))
const withConsole = disagreementsWith(readConsoleDocument())

/** Returns what an answer of a server has that the document of its path does not say, or lacks of what it says. */
export const disagreements: Disagreements = (exchange) => {
  const { target } = exchange
  if (target.startsWith(`${CONSOLE}/`))
    return withConsole({ ...exchange, target: target.slice(CONSOLE.length) })
  // Pages of the console are HTML.
  return target.startsWith('/console') ? [] : withApi(exchange)
}
