import { join } from 'node:path'
import t from 'tap'
import { packedPackages, ROOT, runIn, trouble } from './packed.ts'

const REFERENCE = join(ROOT, 'tools/api-docs')

t.test('every public name has a doc comment, and every link in them works', async (t) => {
  // The reference is generated from the built packages.
  t.ok(packedPackages().length > 0)
  t.equal(
    trouble(() => runIn(REFERENCE, join(REFERENCE, 'node_modules/.bin/typedoc'), ['--emit', 'none'])),
    '',
  )
})
