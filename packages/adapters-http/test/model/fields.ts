import fc from 'fast-check'

/** A value to send, and its meaning: undefined if it is invalid. */
export interface Sample {
  readonly sent: string | undefined
  readonly valid: boolean
}

const good = (...sent: ReadonlyArray<string | undefined>) => sent.map((one) => ({ sent: one, valid: true }))
const bad = (...sent: ReadonlyArray<string | undefined>) => sent.map((one) => ({ sent: one, valid: false }))

/** Mostly valid values. */
const from = (valid: ReadonlyArray<Sample>, invalid: ReadonlyArray<Sample>) =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...valid) },
    { weight: 1, arbitrary: fc.constantFrom(...invalid) },
  )

/** B6: 1 to `most` code points after NFC; blank-only text is empty. */
const text = (most: number) =>
  from(
    good('Wells', 'E\u0301cole', ' kept whole ', '💧'.repeat(most), 'x'.repeat(most)),
    bad(undefined, '', ' \t', 'x'.repeat(most + 1), '💧'.repeat(most + 1), 'a\u0000b'),
  )

/** B7. */
const URLS = good('https://example.org/a', 'HTTP://Example.org', `https://example.org/${'x'.repeat(2028)}`)
const NO_URLS = bad(
  'ftp://example.org/a',
  'javascript:1',
  'https://a:b@example.org',
  '/a',
  `https://example.org/${'x'.repeat(2029)}`,
)

const optional = fc.constantFrom(...good(undefined), ...good(undefined))

/** Every parameter of items, as the interface and its rulings have them. */
export const SAMPLES = {
  itemTitle: text(100),
  itemDescription: text(1000),
  link: from(URLS, [...NO_URLS, ...bad(undefined, '')]),
  optionalLink: from([...URLS, ...good(undefined, '')], NO_URLS),
  vlink: from([...URLS, ...good(undefined, '')], NO_URLS),
  isDonorRestricted: fc.constantFrom(...good(undefined, '0', 'false', 'FALSE', '1', 'true', 'no', '')),
  lang: fc.oneof(optional, from(good('en', 'FR', 'Fr', ''), bad('de', 'english'))),
  itemPublicationDate: from(
    good('2026-04-30', '2026-05-01', '2024-02-29', '2031-12-31'),
    bad('2023-02-30', '2026-13-01', '1.5.2026'),
  ),
  status: from(good('Live', 'Live', 'Draft', 'Archived'), bad('live', undefined, '', 'Deleted')),
  itemType: from(good('photo', 'link', 'vlink'), bad('video', undefined, 'Photo')),
  image: from(
    good(undefined, '', 'https://example.org/cover.png', 'https://example.org/other.jpg'),
    bad('javascript:1', 'x'),
  ),
} as const

/** B6, C2. */
export const kept = (text: string): string => text.normalize('NFC')

/** B9: `0` and `false`, in any case, are public; undefined where nothing was sent. */
export const restrictedBy = (sent: string | undefined): boolean | undefined =>
  sent === undefined ? undefined : !['0', 'false'].includes(sent.toLowerCase())

/** B5: undefined where nothing was sent. */
export const langOf = (sent: string | undefined): 'en' | 'fr' | undefined =>
  sent === undefined || sent === '' ? undefined : (sent.toLowerCase() as 'en' | 'fr')
