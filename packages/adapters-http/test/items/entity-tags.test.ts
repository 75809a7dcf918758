import type { ItemId } from '@almoner/domain'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { etagOf, isFresh, isNamed, preconditionOf, revisionOf } from '../../src/responses/headers.ts'
import { PROXY_FORMS } from '../support/proxy-forms.ts'

const ids = fc.uuid().map((id) => id as ItemId)
const revisions = fc.integer({ min: 1, max: 1e9 })
const forms = fc.constantFrom(...Object.values(PROXY_FORMS))
/** Tags of others: of any text that a tag may have, comma and endings of ours included. */
const foreignTags = fc
  .array(fc.constantFrom('a', 'Z', '0', '-', '.', ',', ';', '-gzip', '-br', "'", '*', 'W/', '\u00e9'), {
    maxLength: 12,
  })
  .map((parts) => `"${parts.join('')}"`)
const gaps = fc.constantFrom('', ' ', '\t', '  ')

/** A list as RFC 9110 §5.6.1 allows it, with empty elements. */
const listOf = (tags: ReadonlyArray<string>, gap: string, empties: number): string =>
  [...tags, ...Array(empties).fill('')].map((tag) => `${gap}${tag}${gap}`).join(',')

const numbersIn = (header: string, id: ItemId): ReadonlyArray<number> => {
  const expected = preconditionOf(header, id)
  return O.isSome(expected) ? [...expected.value] : []
}

t.test('C13: our tag counts in every form that a proxy gives it, alone and in lists', async () => {
  fc.assert(
    fc.property(
      ids,
      revisions,
      fc.string(),
      forms,
      fc.array(foreignTags, { maxLength: 3 }),
      fc.nat(3),
      gaps,
      fc.nat(2),
      (id, revision, written, form, others, at, gap, empties) => {
        const tag = etagOf({ id, revision }, written)
        const header = listOf(others.toSpliced(at, 0, form(tag)), gap, empties)
        if (!isNamed(header, tag)) throw new Error(`${header} does not name ${tag}`)
        if (!isFresh({ 'if-none-match': header }, { etag: tag })) throw new Error(`${header} is not fresh`)
        if (!numbersIn(header, id).includes(revision)) throw new Error(`${header} does not allow ${revision}`)
        if (revisionOf(form(tag)) !== revision) throw new Error(`${form(tag)} has another revision`)
      },
    ),
  )
})

t.test('C13: any other text is no match: foreign tags, other endings, broken lists', async () => {
  const endings = fc.constantFrom(
    '-gz',
    '-deflate',
    'gzip',
    '-gzip-gzip',
    '-br-gzip',
    ';br',
    '--br',
    ' ',
    '-GZIP',
  )
  fc.assert(
    fc.property(
      ids,
      ids,
      revisions,
      fc.string(),
      forms,
      endings,
      (id, other, revision, written, form, ending) => {
        const tag = etagOf({ id, revision }, written)
        const text = tag.slice(1, -1)
        const strangers = [
          `"${text}${ending}"`,
          ...(other === id ? [] : [form(etagOf({ id: other, revision }, written))]),
          text,
          `w/${tag}`,
          `W/ ${tag}`,
          `'${text}'`,
          `${tag} ${tag}`,
          `${tag}x`,
          `x${tag}`,
          `*, ${tag}`,
          `${tag}, *`,
          `"${id}.${revision}"`,
          `"${id}.${revision}."`,
          `"${id}.0x${revision}${text.slice(text.lastIndexOf('.'))}"`,
          '',
          '""',
          '"',
        ]
        for (const header of strangers) {
          if (isNamed(header, tag)) throw new Error(`${header} names ${tag}`)
          if (numbersIn(header, id).length > 0) throw new Error(`${header} allows a revision`)
        }
      },
    ),
  )
})

t.test('C10: with If-Match: * any revision may be overwritten', async (t) => {
  const id = '018f3c00-0000-7000-8000-000000000000'
  for (const header of ['*', ' * ']) t.strictSame(preconditionOf(header, id), O.none)
  t.strictSame(preconditionOf('"x"', undefined), O.some(new Set()), 'an unknown item has no revision')
})
