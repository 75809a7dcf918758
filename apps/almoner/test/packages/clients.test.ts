import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openApiDocument } from '@almoner/adapters-http'
import { GENERATORS } from '@almoner/openapi-tools'
import t from 'tap'
import { emptyFolder, ROOT, runIn, trouble } from './packed.ts'

const NAMES = [
  'LibraryItem',
  'FeedItem',
  'Label',
  'Notification',
  'Organization',
  'Problem',
  'Image',
  'Revision',
]

/** The most bytes of the types that hey-api generates. */
const MOST = 250_000

const document = JSON.parse(JSON.stringify(openApiDocument('0.1.0', 'https://api.example.org')))

const OPTIONS = {
  strict: true,
  noEmit: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: [],
}

/** A program with the names of the document. */
const using = (
  types: string,
): string => `import type { ${NAMES.join(', ')} } from './${types.replace(/\.ts$/, '.js')}'

export const titleOf = (item: LibraryItem | FeedItem): string => item.itemTitle
export const widest = (image: Image): string | undefined => image.renditions.at(-1)?.url
export const statusOf = (problem: Problem): number => problem.status
export const names = (label: Label, one: Organization, other: Notification, revision: Revision) => [
  label.fr,
  one.name,
  other.title,
  revision.actor.kind,
]
`

for (const [generator, generate] of Object.entries(GENERATORS))
  t.test(
    `I7: the client of ${generator} compiles strictly and exports the names of the interface`,
    async (t) => {
      const folder = emptyFolder(`client-${generator}`)
      const types = await generate(structuredClone(document), folder)
      writeFileSync(join(folder, 'using.ts'), using(relative(folder, types)))
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS }))
      const compiler = join(ROOT, 'node_modules/.bin/tsc')
      t.equal(
        trouble(() => runIn(folder, compiler, ['-p', '.'])),
        '',
      )
      const text = readFileSync(types, 'utf8')
      for (const name of NAMES) t.match(text, new RegExp(`^export (?:type|interface) ${name}\\b`, 'm'), name)
      if (generator === 'hey-api') t.ok(text.length < MOST, `${text.length} bytes`)
    },
  )
