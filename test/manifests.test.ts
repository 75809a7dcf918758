import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

const root = read('package.json')
const members = globSync('{packages,apps,testing,tools,examples}/*/package.json', { cwd: ROOT }).map(
  (path) => ({ folder: dirname(path).replaceAll('\\', '/'), manifest: read(path) }),
)

t.test('every package states licence, source, purpose and the same Node', async (t) => {
  t.ok(members.length > 15)
  for (const { folder, manifest } of members) {
    t.equal(manifest.license, root.license, folder)
    t.same(manifest.repository, { ...root.repository, directory: folder }, folder)
    t.match(manifest.description, /^[A-Z].{15,}\.$/, folder)
    t.ok(manifest.keywords.includes('almoner'), folder)
    t.equal(manifest.engines.node, '>=22.19', folder)
  }
})

t.test('the packages share one version, as .changeset/config.json fixes it', async (t) => {
  t.same(read('.changeset/config.json').fixed, [['@almoner/*']])
  const versions = members.flatMap(({ manifest }) => manifest.version ?? [])
  t.equal(new Set(versions).size, 1)
})

t.test('.node-version names the Node that runs the code', async (t) => {
  t.equal(readFileSync(join(ROOT, '.node-version'), 'utf8').trim(), root.devDependencies.node)
})
