import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ENTRIES, EXAMPLE_NAMES, GUIDE, run } from './examples.ts'
import { ROOT, readManifest, trouble } from './packed.ts'

// From packed tarballs, in empty folders outside the workspace.

for (const [resolution, project] of [
  ['nodenext', 'tsconfig.json'],
  ['bundler', 'tsconfig.bundler.json'],
])
  t.test(
    `with ${resolution}, examples, the guide, READMEs of packages, entry points and the types of ports type-check, libraries included`,
    async (t) => {
      t.equal(
        trouble(() => run('all', join(ROOT, 'node_modules/.bin/tsc'), '-p', `${project}`)),
        '',
      )
    },
  )

t.test('every entry point loads with only the declared dependencies of its package', async (t) => {
  const imports = ENTRIES.map((entry) => `await import('${entry}')`).join(';')
  t.equal(
    trouble(() => run('all', process.execPath, '--input-type=module', '-e', imports)),
    '',
  )
})

for (const name of EXAMPLE_NAMES) {
  const { scripts } = readManifest(join(ROOT, 'examples', name))
  t.test(`the example ${name} does what its description says`, async (t) => {
    // Without a name, a Node that runs no TypeScript finds no tests, and says that all is well.
    t.match(scripts?.['test'] ?? 'node --test none.test.ts', / \S+\.test\.ts$/)
    t.equal(
      trouble(() => run(name, process.execPath, '--run', scripts?.['test'] === undefined ? 'start' : 'test')),
      '',
    )
  })
}

t.test('the API in a Fastify application takes at most 20 lines', async (t) => {
  const program = readFileSync(join(ROOT, 'examples/fastify-prefix/app.ts'), 'utf8')
  t.ok(program.trimEnd().split('\n').length <= 20)
})

// The guide a second time as well, on what the first has kept: who follows it runs it after each section.
for (const file of [...GUIDE.keys(), 'guide.ts'])
  t.test(`the pages that teach run from their first block to their last: ${file}`, async (t) => {
    t.equal(
      trouble(() => run('all', process.execPath, file)),
      '',
    )
  })
