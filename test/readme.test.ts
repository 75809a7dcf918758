import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { satisfies } from 'semver'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The shortest programs of each kind, with the number of lines that they may have. */
const SHORTEST = [
  { file: 'examples/use-case/use-case.ts', most: 12, shownIn: ['README.md', 'docs/embedding.md'] },
  { file: 'examples/rule-test/rules.test.ts', most: 10, shownIn: ['docs/testing-rules.md'] },
]

for (const { file, most, shownIn } of SHORTEST)
  t.test(`${file} has at most ${most} lines, and the documents show it`, async (t) => {
    const program = read(file)
    t.ok(program.trimEnd().split('\n').length <= most)
    for (const path of shownIn) t.ok(read(path).includes(`\`\`\`ts\n${program}\`\`\``), path)
  })

t.test('the embedding example runs: it prints a list with the new post as plain data', async (t) => {
  const printed = execFileSync(process.execPath, [join(ROOT, 'examples/use-case/use-case.ts')], {
    encoding: 'utf8',
  })
  t.match(printed, /^\[/)
  t.match(printed, /title: 'A new well'/)
  t.match(printed, /status: 'Draft'/)
  t.notMatch(printed, /_tag/)
})

t.test('documents name the versions in use', async (t) => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  const versions = { ...dependencies, ...devDependencies }
  for (const path of ['README.md', 'docs/embedding.md', 'examples/README.md'])
    for (const [, name = '', version] of read(path).matchAll(/ (fp-ts|fastify|node)@([\d.]+)/g))
      t.ok(satisfies(versions[name], version ?? ''), `${path}: ${name}@${version}`)
})

t.test('every file that the documents link to exists', async (t) => {
  for (const path of globSync('{*,docs/*,docs/adr/*,examples/**/*,packages/*/*}.md', { cwd: ROOT })) {
    if (path.includes('node_modules')) continue
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].flatMap(([, link]) => link ?? [])
    for (const link of links) t.ok(existsSync(join(ROOT, path, '..', link)), `${path}: ${link}`)
  }
})

/** Returns the name that an ADR with this title should have. */
const nameOf = (number: string, title: string): string =>
  `${number.padStart(4, '0')}-${title
    .toLowerCase()
    .replaceAll("'", '')
    .match(/[a-z0-9]+/g)
    ?.join('-')}.md`

t.test(
  'docs/adr/README.md lists each ADR by number and title, with its status, and files are named after titles',
  async (t) => {
    const listed = read('docs/adr/README.md').match(/^- .*$/gm) ?? []
    const names = globSync('0*.md', { cwd: join(ROOT, 'docs/adr') }).sort()
    const lines = names.map((name) => {
      const text = read(`docs/adr/${name}`)
      const [, number = '', title = ''] = /^# (\d+)\. (.+)$/m.exec(text) ?? []
      const [, status = ''] = /^## Status\n\n(.+)$/m.exec(text) ?? []
      t.equal(name, nameOf(number, title))
      const [, successor] = /^Superseded by \[(ADR \d+)\]\(\d{4}-/.exec(status) ?? []
      if (successor === undefined)
        t.match(status, /^Accepted\b/, `${name}: accepted, or superseded by a linked ADR`)
      return `- [${number}. ${title}](${name}): ${successor === undefined ? 'accepted' : `superseded by ${successor}`}`
    })
    t.strictSame([...listed], lines)
  },
)

t.test(
  'docs have at most 45,000 words, without the rules and the manuals of the console and of apps, so that a fact stands once',
  async (t) => {
    const pages = globSync('docs/{*,adr/*}.md', { cwd: ROOT }).filter(
      (path) => !/^docs\/(?:console|apps|rules)\.md$/.test(path),
    )
    const words = pages
      .map((path) => read(path).match(/\S+/g)?.length ?? 0)
      .reduce((sum, count) => sum + count, 0)
    t.comment(`${words} words`)
    t.ok(pages.length > 20)
    t.ok(words <= 45_000, `${words} words`)
  },
)
