import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { mediaLocation } from '../../src/config/media.ts'

// D10: names of buckets and regions are sent as given, and endpoints may have a path.

const TAKEN = [
  ...[
    'bucket',
    'B',
    'my_bucket',
    'My_Bucket.of-2026',
    'tenant:bucket',
    '0a1b2c3d:bucket',
    'tenant$user:bucket',
  ].map((bucket) => [`s3://${bucket}/a`, { bucket, prefix: 'a' }] as const),
  ...['eu-west-3', 'RegionOne', 'default', 'auto', 'GRA', '1'].map(
    (region) => [`s3://bucket?region=${region}`, { region }] as const,
  ),
  ...['/storage/v1/s3', '/storage/v1/s3/', '/a', '/', ''].map(
    (path) =>
      [
        `s3://bucket?endpoint=https://ref.example.org:8443${path}`,
        { endpoint: `https://ref.example.org:8443${path.replace(/\/$/, '')}` },
      ] as const,
  ),
  [
    's3://tenant:b_1?region=RegionOne&endpoint=http://10.0.0.1:7480/rgw',
    { endpoint: 'http://10.0.0.1:7480/rgw' },
  ],
] as const

t.test('D10: buckets, regions and endpoints of every store are taken as they are written', async (t) => {
  for (const [text, place] of TAKEN)
    t.match(mediaLocation(text), { _tag: 'Right', right: { kind: 's3', ...place } }, text)
})

const REFUSED = [
  ...['..', '.', './a', 'ten%20ant:bucket', 'a@b', 'user:secret@bucket', 'ten ant', `${'a'.repeat(256)}`, ''],
  ...['?region=-a', '?region=a-', '?region=eu_west', '?region=eu.west', '?region=a/b'].map(
    (query) => `b${query}`,
  ),
  ...['https://s/p?x=1', 'https://u:p@s/p', 'ftp://s/p', 's/p'].map(
    (url) => `b?endpoint=${encodeURIComponent(url)}`,
  ),
  'b?endpoint=https://s/p%23a',
].map((rest) => `s3://${rest}`)

t.test('D10: what names no bucket, region or endpoint is refused, without its value', async (t) => {
  for (const text of REFUSED) {
    const read = mediaLocation(text)
    t.match(read, { _tag: 'Left', left: /^must be s3:/ }, text)
    if (E.isLeft(read)) t.notMatch(read.left, 'secret')
  }
})
