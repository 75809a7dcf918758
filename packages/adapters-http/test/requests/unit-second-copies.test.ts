import { cpSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as content from '@almoner/domain/content'
import * as values from '@almoner/domain/values'
import * as io from 'io-ts'
import t, { type Test } from 'tap'
import { schemaOf } from '../../src/openapi/schema.ts'

// A host may have io-ts, fp-ts and the domain a second time, in other versions.

const domain = { ...content, ...values }
const DOMAIN = join(import.meta.dirname, '../../../domain')

/** The folder of the copy that this workspace uses. */
const installed = (name: string): string =>
  dirname(realpathSync(join(DOMAIN, 'node_modules', name, 'package.json')))

/** Copies the domain with its own io-ts and fp-ts, and loads them. */
const secondCopies = async (t: Test) => {
  const folder = t.testdir()
  for (const name of ['io-ts', 'fp-ts'])
    cpSync(installed(name), join(folder, 'node_modules', name), { recursive: true })
  cpSync(join(DOMAIN, 'src'), join(folder, 'src'), { recursive: true })
  cpSync(join(DOMAIN, 'package.json'), join(folder, 'package.json'))
  const load = (area: string) => import(pathToFileURL(join(folder, 'src', area, 'index.ts')).href)
  const secondIo: typeof io = createRequire(join(folder, 'src/'))('io-ts')
  const [second, third] = await Promise.all(['content', 'values'].map(load))
  const secondDomain: typeof domain = { ...second, ...third }
  t.not(secondIo.Type, io.Type, 'another copy of io-ts')
  t.not(secondDomain.Refined, domain.Refined, 'another copy of the domain')
  return { secondIo, secondDomain }
}

t.test('I3: codecs of another copy of io-ts and of the domain have the same schemas', async (t) => {
  const { secondIo, secondDomain } = await secondCopies(t)
  const kinds = (of: typeof io) => [
    of.string,
    of.boolean,
    of.Int,
    of.array(of.string),
    of.keyof({ a: null, b: null }),
    of.strict({ a: of.type({ b: of.string }) }),
  ]
  t.same(kinds(secondIo).map(schemaOf), kinds(io).map(schemaOf))
  const codecs = Object.entries(domain).filter(([, value]) => value instanceof domain.Refined)
  t.ok(codecs.length > 20)
  const inSecond: Readonly<Record<string, unknown>> = secondDomain
  for (const [name, codec] of codecs)
    t.same(schemaOf(inSecond[name] as io.Mixed), schemaOf(codec as io.Mixed), name)
  t.throws(() => schemaOf(secondIo.number), /no JSON Schema for the codec/)
})

t.test('B2: parameters decode with codecs of another copy of io-ts and of the domain', async (t) => {
  const { secondDomain } = await secondCopies(t)
  const shape = { name: 'Both', required: {}, optional: { restriction: secondDomain.DonorRestricted } }
  const emptied = domain.decode(domain.parameters(shape))({ restriction: '' })
  const restriction = domain.decode(
    domain.parameters({ ...shape, optional: { restriction: domain.DonorRestricted } }),
  )
  t.same(emptied, restriction({ restriction: '' }), 'the empty text has a meaning')
  t.same(
    secondDomain.decode(secondDomain.ListFeedItems)({ lim: 'x' }),
    domain.decode(domain.ListFeedItems)({ lim: 'x' }),
  )
})
