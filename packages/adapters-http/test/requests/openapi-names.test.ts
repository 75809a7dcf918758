import { lint } from '@almoner/openapi-tools'
import * as io from 'io-ts'
import t from 'tap'
import { consoleDocument } from '../../src/console/index.ts'
import { API_ROUTES, openApiDocument } from '../../src/index.ts'
import {
  exampleOf,
  objectOf,
  schemaOf,
  templateOf,
  titled,
  withNamedSchemas,
} from '../../src/openapi/schema.ts'
import { under } from '../../src/serializers/codecs.ts'
import {
  type Document,
  type DocumentedParameter,
  operationsOf,
  readDocument,
  validatorOf,
  withoutReferences,
} from '../support/document.ts'
import { startFixture } from '../support/fixture.ts'
import { filled, newFeedItem, newLibraryItem, newNotification } from '../support/samples.ts'

type Json = Readonly<Record<string, unknown>>

const document = readDocument()

/** Returns the places of objects that are neither named nor within the definition of a name. */
const unnamedObjects = (within: unknown, place: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  if (typeof within !== 'object' || within === null) return []
  const isDefinition = place.length === 3 && place[0] === 'components' && place[1] === 'schemas'
  const isObject = (within as Json)['type'] === 'object' && !isDefinition
  return [
    ...(isObject ? [place.join(' ')] : []),
    ...Object.entries(within)
      .filter(([key]) => key !== 'example')
      .flatMap(([key, part]) => unnamedObjects(part, [...place, key])),
  ]
}

t.test('I7: every object of both documents has a name, and is used by reference', async (t) => {
  for (const made of [openApiDocument('', ''), consoleDocument('', 'https://x.example.org')]) {
    const { paths, components } = JSON.parse(JSON.stringify(made))
    t.strictSame(unnamedObjects({ paths, components }), [], 'give its codec a name: t.strict(fields, name)')
  }
  const unnamed = schemaOf(io.strict({ a: io.string }))
  t.strictSame(unnamedObjects(withNamedSchemas({ components: {}, paths: { '/a': { schema: unnamed } } })), [
    'paths /a schema',
  ])
})

t.test('I7: the names are those of the interface', async (t) => {
  const names = Object.keys(document.components.schemas)
  for (const name of ['LibraryItem', 'FeedItem', 'Label', 'Notification', 'Organization', 'Problem'])
    t.ok(names.includes(name), name)
  t.strictSame(
    names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name)),
    [],
  )
  t.strictSame(names, names.toSorted())
})

t.test('I7: an object without a name is named after its member of a named one', async (t) => {
  const inner = io.strict({ url: io.string })
  const codec = under('image', { renditions: io.array(inner), thumb: io.union([inner, io.null]) })
  const { components } = withNamedSchemas({ components: {}, paths: { schema: schemaOf(codec) } })
  const of = (schema: object) => ({ type: 'object', additionalProperties: false, ...schema })
  const plain = of({ properties: { url: { type: 'string' } }, required: ['url'] })
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  t.strictSame(components.schemas, {
    Image: of({
      properties: {
        renditions: { type: 'array', items: ref('ImageRendition') },
        thumb: { anyOf: [ref('ImageThumb'), { type: 'null' }] },
      },
      required: ['renditions', 'thumb'],
    }),
    ImageRendition: plain,
    ImageThumb: plain,
    ImageWrapper: of({ properties: { image: ref('Image') }, required: ['image'] }),
  })
})

t.test('I7: a name has one meaning', async (t) => {
  const one = titled('One', objectOf({ a: { type: 'string' } }))
  const other = titled('One', objectOf({ b: { type: 'string' } }))
  t.throws(() => withNamedSchemas({ components: {}, paths: [one, other] }), /Two schemas have the name One/)
  t.doesNotThrow(() => withNamedSchemas({ components: {}, paths: [one, { ...one }] }))
  const ofConsole = JSON.parse(JSON.stringify(consoleDocument('', 'https://x.example.org')))
  for (const [name, schema] of Object.entries(document.components.schemas))
    t.strictSame(ofConsole.components.schemas[name] ?? schema, schema, `${name} in both documents`)
})

const { paths, components } = withoutReferences(document)
const inlined: Document = { ...document, paths, components }

interface Content {
  readonly schema: Json
  readonly example?: unknown
}

const contentsOf = (part: unknown): ReadonlyArray<Content> =>
  Object.values((part as { readonly content?: Readonly<Record<string, Content>> } | undefined)?.content ?? {})

const answersOf = (operation: (typeof inlined.paths)[string][string]) =>
  Object.values(operation.responses).map(({ $ref, ...inline }) => {
    const name = $ref?.split('/').at(-1)
    return name === undefined ? inline : inlined.components.responses[name]
  })

interface Example {
  readonly of: string
  readonly schema: Json
  readonly example?: unknown
}

/** The parameters of an operation with their examples, and its contents: the body, and each answer. */
const examplesOf = (operation: (typeof inlined.paths)[string][string]) => {
  const parameters: ReadonlyArray<DocumentedParameter & { readonly example?: unknown }> =
    operation.parameters ?? []
  const contents = [operation.requestBody, ...answersOf(operation)].flatMap(contentsOf)
  const named =
    (of: string) =>
    (one: Content): Example => ({ of: `${operation.operationId} ${of}`, ...one })
  return { parameters, all: [...contents.map(named('content')), ...parameters.map(named('parameter'))] }
}

/** Numbers in paths and queries are text. */
const isWritten = ({ schema, example }: Example): boolean =>
  schema['type'] === 'string' && typeof example === 'number'

t.test('I7: every operation has an example, and every example passes its schema', async (t) => {
  for (const { operation } of operationsOf(inlined)) {
    const given = examplesOf(operation).all.filter(({ example }) => example !== undefined)
    t.ok(given.length > 0, operation.operationId)
    for (const one of given.filter((each) => !isWritten(each)))
      t.ok(validatorOf(one.schema)(one.example), `${one.of}: ${JSON.stringify(one.example)}`)
  }
})

t.test('I7: every required parameter, JSON body and answer has an example', async (t) => {
  for (const { operation } of operationsOf(inlined)) {
    const { operationId, tags, requestBody, responses } = operation
    const required = examplesOf(operation).parameters.filter((one) => one.required)
    const body: Content | undefined = requestBody?.content['application/json']
    const success = tags[0] === 'Images' ? [] : contentsOf(responses['200'])
    for (const one of [...required, ...success, ...(body === undefined ? [] : [body])])
      t.not(one.example, undefined, `${operationId}: ${JSON.stringify(one.schema)}`)
  }
})

t.test('I7: the service accepts the example of every request', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const items = { library: await newLibraryItem(fixture), feed: await newFeedItem(fixture) }
  const notification = { id: await newNotification(fixture) }
  for (const { operation, path, method, upload } of API_ROUTES) {
    const found = inlined.paths[templateOf(path)]?.[method.toLowerCase()]
    if (found === undefined || upload !== undefined) continue
    const required = examplesOf(found).parameters.filter((one) => one.required)
    const valuesIn = (place: string) =>
      Object.fromEntries(
        required.filter((one) => one.in === place).map(({ name, example }) => [name, String(example)]),
      )
    const itemId = path.startsWith('/library') ? items.library : items.feed
    const id = path.startsWith('/notification') ? notification : {}
    const body: Content | undefined = found.requestBody?.content['application/json']
    const response = await fixture.call(method, filled(path, { ...valuesIn('path'), itemId, ...id }), {
      as: operation === 'eraseUser' ? 'userManager' : 'manager',
      query: valuesIn('query'),
      ...(body === undefined ? {} : { json: body.example as Readonly<Record<string, string>> }),
    })
    t.ok([200, 403, 404, 409].includes(response.status), `${operation}: ${response.status}`)
  }
})

t.test('I7: texts state their formats, enumerations their values', async (t) => {
  const { LibraryItem, FeedItem, Image, Revision, Organization, Delivery } = inlined.components.schemas
  const of = (schema: Json | undefined, name: string) =>
    (schema?.['properties'] as Readonly<Record<string, Json>> | undefined)?.[name]
  t.match(of(LibraryItem, 'itemId'), { format: 'uuid' })
  t.match(of(LibraryItem, 'createdAt'), { format: 'date-time' })
  t.match(of(LibraryItem, 'itemPublicationDate'), { format: 'date' })
  t.match(of(LibraryItem, 'link'), { format: 'uri' })
  t.match(of(FeedItem, 'link'), { format: 'uri-reference' }, 'which may be empty')
  t.match(of(FeedItem, 'itemType'), { enum: ['photo', 'link', 'vlink'] })
  t.match(of(FeedItem, 'status'), { enum: ['Draft', 'Live', 'Archived'] })
  t.match(of(FeedItem, 'isDonorRestricted'), { enum: ['0', '1'] })
  t.match(of(Image, 'url'), { format: 'uri' })
  t.match(of(Revision, 'at'), { format: 'date-time' })
  t.match(of(Organization, 'logoUri'), { format: 'uri-reference' })
  t.match(of(Delivery, 'startedAt'), { anyOf: [{ format: 'date-time' }, { enum: [''] }] })
})

t.test('I7: an example is made of the examples of members', async (t) => {
  const text = { type: 'string', example: 'a' }
  t.strictSame(exampleOf(objectOf({ a: text, b: { type: 'boolean' }, c: { type: 'array', items: text } })), {
    a: 'a',
    b: true,
    c: ['a'],
  })
  t.strictSame(
    exampleOf(objectOf({ a: text, b: { type: 'string' } }, ['a'])),
    { a: 'a' },
    'if it must be there',
  )
  t.equal(exampleOf(objectOf({ b: { type: 'string' } })), undefined, 'none without that of a member')
  t.equal(exampleOf({ type: 'array', items: { type: 'string' } }), undefined)
  t.strictSame(
    [
      exampleOf({ type: 'integer' }),
      exampleOf({ type: 'integer', minimum: 7 }),
      exampleOf({ anyOf: [text, { type: 'null' }] }),
      exampleOf({ type: 'string', enum: ['x', 'y'] }),
      exampleOf({ type: 'string', const: 'x' }),
    ],
    [1, 7, 'a', 'x', 'x'],
  )
})

/** Pairs of paths of the interface that differ in a word where the other has an identifier, which is never that word. */
const ALIKE = [
  '`/feed/label/{labelId}` and `/feed/{itemId}/label`',
  '`/feed/{itemId}/media` and `/feed/label/{labelId}`',
  '`/library/label/{labelId}` and `/library/{itemId}/label`',
  '`/library/{itemId}/translation` and `/library/label/{labelId}`',
]

t.test('I7: redocly lint finds nothing but the paths of the interface', async (t) => {
  const findings = await lint(document)
  const rest = findings.filter(({ rule }) => rule !== 'no-path-trailing-slash')
  t.strictSame(
    rest
      .map(({ rule, message }) => [
        rule,
        message.split('ambiguous paths: ')[1]?.replace(/\.$/, '') ?? message,
      ])
      .sort(),
    ALIKE.map((pair) => ['no-ambiguous-paths', pair]),
  )
  const slashes = Object.keys(document.paths).filter((path) => path.endsWith('/'))
  t.equal(findings.length - rest.length, slashes.length)
})
