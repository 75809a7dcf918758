import { join } from 'node:path'
import t from 'tap'
import { writeConsole } from '../src/build/bundle.ts'
import { buildConsole, readConsole } from '../src/index.ts'

const assets = await buildConsole()

/** Returns the files that a page names, which are loaded at once. */
const filesOf = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/\/console\/assets\/([^"]+)/g)].map(([, name = '']) => name)

const zippedSize = (names: ReadonlyArray<string>): number =>
  names.reduce((sum, name) => sum + (assets.files.get(name)?.gzip.length ?? Number.NaN), 0)

t.test(
  'the first load takes at most 200 kB, the sign-in page at most 10.5 kB, scripts and styles gzipped',
  async (t) => {
    const { app, signIn } = assets.pages
    t.ok(filesOf(app).length > 2)
    t.ok(zippedSize(filesOf(app)) <= 200_000, `${zippedSize(filesOf(app))} bytes`)
    const signInSize = zippedSize(filesOf(signIn)) + signIn.length
    t.ok(signInSize <= 10_500, `${signInSize} bytes`)
  },
)

t.test('M6: the pages have no inline scripts and styles, and name no other host', async (t) => {
  for (const html of Object.values(assets.pages)) {
    t.notMatch(html, /<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=|javascript:/i)
    t.notMatch(html, /(?:https?:)?\/\/[a-z]/i)
  }
})

t.test('each script that is loaded later takes at most 40 kB, gzipped', async (t) => {
  const first = filesOf(assets.pages.app)
  const large = [...assets.files].filter(([name, { gzip }]) => !first.includes(name) && gzip.length > 40_000)
  t.strictSame(
    large.map(([name]) => name),
    [],
  )
})

/** Returns the scripts that a script imports. */
const importsOf = (name: string): ReadonlyArray<string> =>
  [...String(assets.files.get(name)?.bytes).matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)].map(
    ([, found = '']) => found,
  )

t.test(
  'a script that is loaded later names all that its imports need, so that they come at once',
  async (t) => {
    const first = filesOf(assets.pages.app)
    t.equal(first.filter((name) => name.startsWith('shared-')).length, 1, 'with the parts that pages share')
    for (const name of assets.files.keys()) {
      if (first.includes(name)) continue
      const direct = new Set([...importsOf(name), ...first, name])
      const further = importsOf(name).flatMap(importsOf)
      t.strictSame(
        further.filter((found) => !direct.has(found)),
        [],
        name,
      )
    }
  },
)

t.test('further pages are loaded when they are opened', async (t) => {
  const first = filesOf(assets.pages.app)
  const later = [...assets.files.keys()].filter((name) => /-page-.*\.js$/.test(name))
  t.ok(later.length > 5)
  t.strictSame(
    later.filter((name) => first.includes(name)),
    [],
  )
})

t.test('the written console is read as it was built', async (t) => {
  const folder = join(t.testdir(), 'assets')
  await writeConsole(folder)
  const read = await readConsole(folder)
  t.strictSame(read.pages, assets.pages)
  t.strictSame([...read.files.keys()].sort(), [...assets.files.keys()].sort())
  for (const [name, { bytes, contentType }] of read.files) {
    t.ok(assets.files.get(name)?.bytes.length === bytes.length, name)
    t.match(contentType, /^text\/(?:css|javascript); charset=utf-8$/)
  }
})
