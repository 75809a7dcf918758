import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'

// docs/rules.md lists the rules that code, tests and documents cite by number.

const ROOT = join(import.meta.dirname, '..')
const SKIPPED = ['node_modules', 'dist', 'data', '.tap', '.git', 'generated', 'fixtures']
const RULES = readFileSync(join(ROOT, 'docs/rules.md'), 'utf8')

const walk = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.includes(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? walk(path) : [path]
  })

/** Matches a rule's number in prose, a comment or the name of a test; not in escapes such as `%C3` or `\xE9`. */
const NUMBER = /(?<![\w%#\\/.+-])[A-M][1-9]\d?(?![\w%'"/+-]|\.\w)/g

const cited = walk(ROOT)
  .filter((path) => /\.(?:ts|tsx|md)$/.test(path))
  .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, 'utf8') }))
  .filter(({ path }) => path !== 'docs/rules.md')
  .map(({ path, text }) => ({ path, numbers: new Set(text.match(NUMBER)) }))

const rules = [...RULES.matchAll(/^- \*\*([A-M]\d+) /gm)].flatMap(([, number]) => number ?? [])
const isTest = ({ path }: { readonly path: string }) => /\.test\.ts$|\/contracts\//.test(path)

t.test('every rule that is cited is listed', async (t) => {
  t.equal(new Set(rules).size, rules.length, 'each rule is listed once')
  for (const { path, numbers } of cited)
    t.strictSame(
      [...numbers].filter((number) => !rules.includes(number)),
      [],
      path,
    )
})

t.test('every rule is cited by a test', async (t) => {
  const tested = new Set(cited.filter(isTest).flatMap(({ numbers }) => [...numbers]))
  t.strictSame(
    rules.filter((number) => !tested.has(number)),
    [],
  )
})

t.test('every rule links to a file that exists', async (t) => {
  for (const rule of RULES.split(/^- \*\*/m).slice(1)) {
    const links = [...rule.matchAll(/\]\(([^)#]+)\)/g)].flatMap(([, link]) => link ?? [])
    t.ok(links.length > 0, rule.slice(0, 30))
    for (const link of links) t.ok(existsSync(join(ROOT, 'docs', link)), link)
  }
})

t.test('every protection that docs/security.md lists is proved by a test that exists', async (t) => {
  const [, page = ''] = readFileSync(join(ROOT, 'docs/security.md'), 'utf8').split('## What protects what')
  const [lists = ''] = page.split('\n## ')
  const rows = lists.split('\n').filter((line) => line.startsWith('- '))
  t.ok(rows.length > 30)
  for (const row of rows) {
    const links = [...row.matchAll(/\]\(\.\.\/([^)]+)\)/g)].flatMap(([, link]) => link ?? [])
    t.ok(links.length > 0 && links.every((link) => existsSync(join(ROOT, link))), row.slice(0, 80))
  }
})
