import { DonorRestricted } from '@almoner/domain/content'
import { ItemTitle } from '@almoner/domain/values'
import * as io from 'io-ts'
import t from 'tap'
import { API_ROUTES, interfacePathOf } from '../../src/index.ts'
import { namesIn, templateOf } from '../../src/openapi/path.ts'
import { schemaOf } from '../../src/openapi/schema.ts'

t.test('I3: a schema is read from its codec', async (t) => {
  t.match(schemaOf(ItemTitle), { type: 'string', minLength: 1, maxLength: 100 })
  t.notOk('emptyHasMeaning' in schemaOf(DonorRestricted), 'internal properties are left out')
  t.same([schemaOf(io.boolean), schemaOf(io.Int)], [{ type: 'boolean' }, { type: 'integer' }])
  t.same(schemaOf(io.array(io.string)), { type: 'array', items: { type: 'string' } })
  t.same(schemaOf(io.keyof({ a: null, b: null })), { type: 'string', enum: ['a', 'b'] })
  t.same(schemaOf(io.strict({ a: io.type({ b: io.string }) })), {
    type: 'object',
    properties: {
      a: {
        type: 'object',
        properties: { b: { type: 'string' } },
        required: ['b'],
        additionalProperties: false,
      },
    },
    required: ['a'],
    additionalProperties: false,
  })
})

t.test('I3: a codec without a known schema fails the build of the document', async (t) => {
  for (const codec of [io.number, io.unknown, io.union([io.string, io.number]), io.partial({ a: io.string })])
    t.throws(() => schemaOf(codec), /no JSON Schema for the codec/)
})

t.test('I3: a member that may be null has both types', async (t) => {
  t.strictSame(schemaOf(io.union([io.string, io.null])), { anyOf: [{ type: 'string' }, { type: 'null' }] })
})

t.test('B3: a path is written in three forms', async (t) => {
  for (const [path, names, template, written] of [
    ['/library/', [], '/library/', '/library/'],
    ['/feed/:itemId/media/', ['itemId'], '/feed/{itemId}/media/', '/feed/<itemId>/media/'],
    [
      '/library/:itemId/media/:image(^cover$|^notification$)',
      ['itemId', 'image'],
      '/library/{itemId}/media/{image}',
      '/library/<itemId>/media/(cover|notification)',
    ],
  ] as const) {
    t.same(namesIn(path), names)
    t.equal(templateOf(path), template)
    t.equal(interfacePathOf(path), written)
  }
  t.notOk(
    API_ROUTES.some(({ path }) => /[:^$]/.test(interfacePathOf(path))),
    "the interface's form has no framework syntax",
  )
})
