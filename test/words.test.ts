import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { run } from '../apps/almoner/src/cli/program.ts'

// Counts words that mark an indirect, hard to read style. A limit may only go down.

const ROOT = join(import.meta.dirname, '..')

const WORDS =
  /\b(?:whoever|whatever|nobody|somebody|everybody|anew|so many|(?:is|are) told|tells|lets? go|thereby|but for|once more|as many as|of its own|those (?:who|that)|what (?:is|are|comes|has|have)\b(?![^.!?]*\?))\b/gi

/** The words that each place may hold at most. The first pattern that matches a path decides. */
const LIMITS: ReadonlyArray<readonly [place: RegExp, most: number]> = [
  [/^(?:README|CHANGELOG|SECURITY)\.md$/, 0],
  [/./, 30],
]

const SKIPPED = ['node_modules', 'dist', 'data', '.tap', '.git', 'generated']

const walk = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.includes(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? walk(path) : [path]
  })

const commentsOf = (text: string): string =>
  [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g)].map(([comment]) => comment).join('\n')

/** Puts the lines of a paragraph or comment together, as a phrase may go over two lines. */
const joined = (text: string): string => text.replaceAll(/\n\s*(?:\*|\/\/)?\s*/g, ' ')

const prose = walk(ROOT)
  .filter((path) => /\.(?:md|ts|tsx|mts)$/.test(path))
  .map((path) => {
    const text = readFileSync(path, 'utf8')
    return { path: relative(ROOT, path), text: path.endsWith('.md') ? text : commentsOf(text) }
  })

for (const [place, most] of LIMITS)
  t.test(`${place} holds at most ${most} of the words`, async (t) => {
    const found = prose
      .filter(({ path }) => LIMITS.find(([other]) => other.test(path))?.[0] === place)
      .flatMap(({ path, text }) => (joined(text).match(WORDS) ?? []).map((word) => `${path}: ${word}`))
    t.comment(`${found.length} found`)
    t.ok(found.length <= most, most === 0 ? found.join(', ') : `${found.length} found`)
  })

/** Returns the help of a command and of all below it. */
const helpOf = async (words: ReadonlyArray<string>): Promise<string> => {
  let text = ''
  const out = (more: string) => {
    text += more
  }
  await run([...words, '--help'], { out, err: out } as never)
  const [, list = ''] = /\nCommands:\n([\s\S]*)/.exec(text) ?? []
  const names = [...list.matchAll(/^ {2}(?!help\b)([a-z]+)/gm)].flatMap(([, name]) => name ?? [])
  const below = await Promise.all(names.map((name) => helpOf([...words, name])))
  return [text, ...below].join('\n')
}

t.test('the help of the command line has none', async (t) => {
  const help = await helpOf([])
  t.match(help, 'ALMONER_DATABASE', 'with the settings')
  t.match(help, '--scope')
  t.strictSame(joined(help).match(WORDS) ?? [], [])
})
