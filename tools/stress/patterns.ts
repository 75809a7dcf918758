// Checks that every regular expression takes linear time on any input: node tools/stress/patterns.ts
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { checkSync as CheckSync } from 'recheck'
import { parseAst } from 'rolldown/parseAst'

const ROOT = join(import.meta.dirname, '../..')
// The package's main file would start a thread for each check.
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as {
  checkSync: typeof CheckSync
}

const FILES = globSync('{packages,apps}/*/{src,memory,contracts}/**/*.ts', {
  cwd: ROOT,
  exclude: (name) => name.includes('node_modules'),
})

type Node = Readonly<Record<string, unknown>>

/** All nodes of a syntax tree. */
function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Node
  for (const part of Object.values(value)) yield* nodesIn(part)
}

const trees = FILES.map((file) => ({
  file,
  nodes: [...nodesIn(parseAst(readFileSync(join(ROOT, file), 'utf8'), { lang: 'ts' }))],
}))

/** The patterns that are written down in a file. */
const written = trees.flatMap(({ file, nodes }) =>
  nodes.flatMap(({ regex }) => {
    const { pattern, flags } = Object(regex)
    return pattern === undefined ? [] : [{ file, source: String(pattern), flags: String(flags) }]
  }),
)

/** The patterns that a file puts together when it is loaded. */
const madeBy = async (file: string) => {
  const made: Array<RegExp> = []
  const Plain = globalThis.RegExp
  globalThis.RegExp = class extends Plain {
    constructor(pattern: string | RegExp, flags?: string) {
      super(pattern, flags)
      made.push(this)
    }
  } as RegExpConstructor
  await import(join(ROOT, file))
  globalThis.RegExp = Plain
  return made.map(({ source, flags }) => ({ file, source, flags }))
}

const isMade = ({ type, callee }: Node): boolean =>
  (type === 'NewExpression' || type === 'CallExpression') && Object(callee).name === 'RegExp'

const makers = trees.filter(({ nodes }) => nodes.some(isMade)).map(({ file }) => file)
const made = []
for (const file of makers) made.push(...(await madeBy(file)))

const patterns = [...written, ...made]
const bad = patterns.filter(({ file, source, flags }) => {
  const checked = checkSync(source, flags, { timeout: null })
  if (checked.status === 'safe') return false
  const how = checked.status === 'unknown' ? checked.error.kind : checked.complexity.summary
  process.stdout.write(`${file}: /${source}/${flags}: ${how}\n`)
  return true
})
process.stdout.write(
  `${patterns.length} patterns in ${FILES.length} files, ${made.length} of them put together by ${makers.length}: ${bad.length} not linear\n`,
)
process.exitCode = bad.length === 0 ? 0 : 1
