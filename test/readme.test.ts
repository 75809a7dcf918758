import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

t.test('the README shows the embedding example, without its imports', async (t) => {
  const example = read('examples/use-case/use-case.ts').trimEnd()
  const shown = example.slice(example.lastIndexOf('\nimport ')).replace(/^\n.*\n\n/, '')
  t.match(shown, /^const /)
  t.ok(read('README.md').includes(`\`\`\`ts\n${shown}\n\`\`\``))
})

t.test('the embedding example runs: a donor posts, and does not see the Draft', async (t) => {
  const printed = execFileSync(process.execPath, [join(ROOT, 'examples/use-case/use-case.ts')], {
    encoding: 'utf8',
  })
  t.match(printed, /_tag: 'Right'/)
  t.match(printed, /status: 'Draft'/)
  t.notMatch(printed, /^\[/m)
})

t.test('documents name the versions in use', async (t) => {
  const { devDependencies } = JSON.parse(read('package.json'))
  for (const path of ['README.md', 'docs/embedding.md', 'examples/README.md'])
    for (const [, name = '', version] of read(path).matchAll(/ (fp-ts|fastify|node)@([\d.]+)/g))
      t.equal(version, devDependencies[name], `${path}: ${name}`)
})

t.test('every file that the documents link to exists', async (t) => {
  for (const path of globSync('{*,docs/*,docs/adr/*,examples/**/*,packages/*/*}.md', { cwd: ROOT })) {
    if (path.includes('node_modules')) continue
    const links = [...read(path).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].flatMap(([, link]) => link ?? [])
    for (const link of links) t.ok(existsSync(join(ROOT, path, '..', link)), `${path}: ${link}`)
  }
})
