import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import demoFeed from '../../demo/feed.json' with { type: 'json' }
import labels from '../../demo/labels.json' with { type: 'json' }
import demoLibrary from '../../demo/library.json' with { type: 'json' }
import demoNotifications from '../../demo/notifications.json' with { type: 'json' }
import demoPeople from '../../demo/people.json' with { type: 'json' }

const codePoints = (text: string): number => [...text].length
const valuesOf = <A>(values: readonly A[]): readonly A[] => [...new Set(values)].toSorted()
const isInvented = (link: string): boolean =>
  /^https:\/\/([a-z]+\.)?example\.(org|com)\/[a-z0-9/-]+$/.test(link)

const collections = [
  { name: 'library', contents: demoLibrary, count: 17 },
  { name: 'feed', contents: demoFeed, count: 12 },
] as const

t.test('labels', async (t) => {
  t.equal(labels.length, 8)
  t.equal(new Set(labels.map(({ labelId }) => labelId)).size, labels.length, 'ids are unique')
  t.ok(
    labels.every(({ labelId }) => /^[a-z]+(-[a-z]+)*$/.test(labelId)),
    'ids are slugs',
  )
  t.ok(
    labels.every(({ en, fr }) => en.trim() !== '' && fr.trim() !== ''),
    'both languages exist',
  )
})

for (const { name, contents, count } of collections) {
  t.test(name, async (t) => {
    t.equal(contents.length, count)
    for (const { itemTitle: title, itemDescription: description, labels: attached } of contents) {
      t.ok(codePoints(title) <= 100, `${title}: title fits`)
      t.ok(codePoints(description) <= 1000, `${title}: description fits`)
      t.equal(new Set(attached).size, attached.length, `${title}: no repeated label`)
      t.ok(
        attached.length > 0 && attached.every((id) => labels.some(({ labelId }) => labelId === id)),
        `${title}: its labels exist`,
      )
    }
    t.equal(new Set(contents.map(({ itemTitle }) => itemTitle)).size, count, 'titles are unique')
    t.same(valuesOf(contents.map(({ status }) => status)), ['Archived', 'Draft', 'Live'])
    t.same(valuesOf(contents.map(({ lang }) => lang)), ['en', 'fr'])
    t.same(valuesOf(contents.map(({ isDonorRestricted }) => isDonorRestricted)), [false, true])
    t.ok(contents.filter(({ status }) => status === 'Live').length > count / 2, 'most are Live')
  })
}

t.test(
  'D9: every image has a description in the language of its item, and no two of a collection are equal',
  async (t) => {
    const publications = demoLibrary.flatMap(({ coverImgAlt, notificationImgAlt }) => [
      coverImgAlt,
      notificationImgAlt,
    ])
    const posts = demoFeed.flatMap(({ image, imgAlt }) => (image === undefined ? [] : [imgAlt ?? '']))
    for (const texts of [publications, posts]) {
      t.ok(texts.every((text) => codePoints(text) >= 40 && codePoints(text) <= 300))
      t.equal(new Set(texts).size, texts.length)
    }
  },
)

t.test('library dates and links', async (t) => {
  const dates = demoLibrary.map(({ itemPublicationDate }) => itemPublicationDate)
  t.ok(
    dates.every((date) => new Date(date).toISOString().startsWith(date)),
    'valid dates',
  )
  t.same(dates, dates.toSorted(), 'oldest first')
  t.ok(dates.every((date) => date >= '2025-01-01' && date <= '2026-10-31'))
  t.ok(
    demoLibrary.every(({ link }) => isInvented(link)),
    'no link leads to a real site',
  )
})

t.test(
  'J8: three publications are there in both languages, one of them with words that came later',
  async (t) => {
    const pairs = demoLibrary.flatMap((item) => {
      const counterpart = demoLibrary.find(({ itemTitle }) => itemTitle === item.counterpart)
      return counterpart === undefined ? [] : [[item, counterpart] as const]
    })
    t.equal(pairs.length, 3)
    t.ok(
      pairs.every(
        ([item, counterpart]) => item.lang !== counterpart.lang && item.status === counterpart.status,
      ),
    )
    t.equal(demoLibrary.filter(({ correction }) => correction !== undefined).length, 1)
  },
)

t.test('people and notifications', async (t) => {
  const emails = demoPeople.map(({ email }) => email)
  t.equal(new Set(emails).size, 12)
  t.ok(emails.every((email) => /^[a-z]+@example\.org$/.test(email)))
  const tokens = demoPeople.flatMap(({ devices }) => devices)
  t.equal(new Set(tokens).size, 18)
  t.ok(
    tokens.every((token) => /demo|64656d6f/.test(token)),
    'each is clearly fictional',
  )
  const published = demoLibrary.filter(({ status }) => status === 'Live').map(({ itemTitle }) => itemTitle)
  for (const { title, about } of demoNotifications)
    t.ok(about === undefined || published.includes(about), `${title}: is about a Live publication`)
  t.equal(new Set(demoNotifications.map(({ title }) => title)).size, demoNotifications.length)
})

t.test('feed types and links', async (t) => {
  t.same(valuesOf(demoFeed.map(({ itemType }) => itemType)), ['link', 'photo', 'vlink'])
  const links = demoFeed.flatMap(({ link, vlink }) => [link, vlink].filter((url) => url !== undefined))
  t.ok(links.every(isInvented), 'no link leads to a real site')
})

const FOLDER = join(import.meta.dirname, '../../demo')
/** Pixels of the images. D1 asks for exactly the size of a post's. */
const SIZES = { cover: [900, 1200], notification: [1200, 600], post: [400, 560] }

t.test('D1: every image is a valid JPEG of its size, and there are no other files', async (t) => {
  const named = [
    ...demoLibrary.flatMap(({ cover, notification }) => [
      { path: cover, size: SIZES.cover },
      { path: notification, size: SIZES.notification },
    ]),
    ...demoFeed.flatMap(({ image }) => (image === undefined ? [] : [{ path: image, size: SIZES.post }])),
  ]
  const committed = ['library', 'feed'].flatMap((folder) =>
    readdirSync(join(FOLDER, folder)).map((file) => `${folder}/${file}`),
  )
  const pictures = [...new Map(named.map((one) => [one.path, one])).values()]
  t.strictSame(committed.toSorted(), pictures.map(({ path }) => path).toSorted())
  for (const { path, size } of pictures) {
    const picture = sharp(join(FOLDER, path), { failOn: 'warning' })
    const { format, width, height } = await picture.metadata()
    t.strictSame([format, width, height], ['jpeg', ...size], path)
    await picture.stats()
  }
  const contents = pictures.map(({ path }) => readFileSync(join(FOLDER, path), 'base64'))
  t.equal(new Set(contents).size, pictures.length, 'all are different')
})

t.test('all images together have at most 3 MB', async (t) => {
  const pictures = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((entry) =>
    /\.(?:jpg|svg)$/.test(entry.name),
  )
  const bytes = pictures.map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
  t.ok(bytes.reduce((sum, size) => sum + size, 0) <= 3_000_000)
})
