import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { packedPackages, ROOT } from './packed.ts'

t.test('every public name has a doc comment, and every link in one leads somewhere', async (t) => {
  // What is built is what the reference is made of.
  t.ok(packedPackages().length > 0)
  const typedoc = join(ROOT, 'apps/reference/node_modules/.bin/typedoc')
  const { stdout, stderr, status } = spawnSync(typedoc, ['--emit', 'none'], {
    cwd: join(ROOT, 'apps/reference'),
    encoding: 'utf8',
  })
  t.equal(`${stdout}${stderr}`, '')
  t.equal(status, 0)
})
