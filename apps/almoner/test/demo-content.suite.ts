import t from 'tap'
import { demoFeed } from '../demo/feed.ts'
import labels from '../demo/labels.json' with { type: 'json' }
import { demoLibrary } from '../demo/library.ts'
import { demoNotifications } from '../demo/notifications.ts'
import { demoPeople } from '../demo/people.ts'
import { motifs } from '../demo/scene/motifs.ts'
import { palettes } from '../demo/scene/palettes.ts'
import { type MotifName, type PaletteName, paint } from '../demo/scene.ts'

const codePoints = (text: string): number => [...text].length
const valuesOf = <A>(values: readonly A[]): readonly A[] => [...new Set(values)].toSorted()
const isInvented = (link: string): boolean =>
  /^https:\/\/([a-z]+\.)?example\.(org|com)\/[a-z0-9/-]+$/.test(link)

const collections = [
  { name: 'library', contents: demoLibrary, count: 14 },
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
    'both languages are there',
  )
})

for (const { name, contents, count } of collections) {
  t.test(name, async (t) => {
    t.equal(contents.length, count)
    for (const { title, description, labels: attached } of contents) {
      t.ok(codePoints(title) <= 100, `${title}: title fits`)
      t.ok(codePoints(description) <= 1000, `${title}: description fits`)
      t.equal(new Set(attached).size, attached.length, `${title}: no label twice`)
      t.ok(
        attached.length > 0 && attached.every((id) => labels.some(({ labelId }) => labelId === id)),
        `${title}: labels exist`,
      )
    }
    t.equal(new Set(contents.map(({ title }) => title)).size, count, 'titles are unique')
    t.same(valuesOf(contents.map(({ status }) => status)), ['Archived', 'Draft', 'Live'])
    t.same(valuesOf(contents.map(({ lang }) => lang)), ['en', 'fr'])
    t.same(valuesOf(contents.map(({ restricted }) => restricted)), [false, true])
    t.ok(contents.filter(({ status }) => status === 'Live').length > count / 2, 'most are Live')
  })
}

t.test('library dates and links', async (t) => {
  const dates = demoLibrary.map(({ publicationDate }) => publicationDate)
  t.ok(
    dates.every((date) => new Date(date).toISOString().startsWith(date)),
    'days of the calendar',
  )
  t.same(dates, dates.toSorted(), 'oldest first')
  t.ok(dates.every((date) => date >= '2025-01-01' && date <= '2026-10-31'))
  t.ok(
    demoLibrary.every(({ link }) => isInvented(link)),
    'no link leads anywhere real',
  )
})

t.test('people and notifications', async (t) => {
  const emails = demoPeople.map(({ email }) => email)
  t.equal(new Set(emails).size, 12)
  t.ok(emails.every((email) => /^[a-z]+@example\.org$/.test(email)))
  const tokens = demoPeople.flatMap(({ devices }) => devices)
  t.equal(new Set(tokens).size, 18)
  t.ok(
    tokens.every((token) => /demo|64656d6f/.test(token)),
    'each tells that it is invented',
  )
  const published = demoLibrary.filter(({ status }) => status === 'Live').map(({ title }) => title)
  for (const { title, about } of demoNotifications)
    t.ok(about === undefined || published.includes(about), `${title}: is about a Live publication`)
  t.equal(new Set(demoNotifications.map(({ title }) => title)).size, demoNotifications.length)
})

t.test('feed types and links', async (t) => {
  t.same(valuesOf(demoFeed.map(({ itemType }) => itemType)), ['link', 'photo', 'vlink'])
  const links = demoFeed.flatMap(({ link, vlink }) => [link, vlink].filter((url) => url !== undefined))
  t.ok(links.every(isInvented), 'no link leads anywhere real')
})

t.test('every motif in every palette is a picture without text, the same each time', async (t) => {
  const names = Object.keys(motifs) as MotifName[]
  for (const palette of Object.keys(palettes) as PaletteName[]) {
    for (const motif of names) {
      const scene = { motif, palette, seed: 42 }
      const picture = paint(scene, 1200, 630)
      t.equal(paint(scene, 1200, 630), picture, `${motif} in ${palette}: same`)
      t.match(picture, /^<svg [^>]*width="1200" height="630" viewBox="0 0 1200 630">/)
      t.notMatch(picture, /<text|font|NaN|undefined|Infinity/, `${motif} in ${palette}: no text, no holes`)
    }
  }
})

t.test('a picture depends on its seed and its size', async (t) => {
  const scene = { motif: 'lake', palette: 'dawn', seed: 1 } as const
  t.not(paint(scene, 400, 560), paint({ ...scene, seed: 2 }, 400, 560))
  t.not(paint(scene, 400, 560), paint(scene, 800, 400))
})
