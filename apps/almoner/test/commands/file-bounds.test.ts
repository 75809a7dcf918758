import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { command, TABLES, writeFolder } from '../support/portfolio.ts'

// H4 on the command line: a file beyond a bound is exit 1, and its name, place and reason are said.

/** Runs a command that must fail, and returns its lines. */
const refused = async (
  t: Test,
  folder: string,
  ...args: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const { code, out, err } = await command(folder, ...args)
  t.strictSame([code, out], [1, ''])
  return err
    .trimEnd()
    .split('\n')
    .map((line) => line.replace('almoner: ', '').replaceAll(`${folder}/`, ''))
}

const MIB = 1024 * 1024
const WORD = 'x'.repeat(65_537)
/** The part of it that a message repeats. */
const SHOWN = `${WORD.slice(0, 40)}…`

t.test('H4: portfolio load names the file, line and column that are beyond a bound', async (t) => {
  const folder = t.testdir()
  const path = writeFolder(folder, TABLES)
  const load = async (file: string, content: string | Buffer) => {
    writeFileSync(join(path, file), content)
    return refused(t, folder, 'portfolio', 'load', path)
  }
  t.strictSame(await load('datasets.json', Buffer.alloc(64 * MIB + 1, ' ')), [
    'portfolio/datasets.json: has more than 64 MiB',
  ])
  t.strictSame(await load('datasets.json', `[\n${'['.repeat(100)}`), [
    'portfolio/datasets.json:2: is more than 32 deep from here on',
  ])
  t.strictSame(await load('datasets.json', `[\n{"id": "acme",\n"budgetCurrency": "${WORD}"}]`), [
    `portfolio/datasets.json:3: budgetCurrency "${SHOWN}" must have at most 65536 characters`,
  ])
  t.strictSame(await load('datasets.json', `[${'1,\n'.repeat(100_000)}1]`), [
    'portfolio/datasets.json:100001: is row 100001: a table has at most 100000 rows',
  ])
  const many = await load('datasets.json', `[${'1,\n'.repeat(5000)}1]`)
  t.equal(many.length, 1000)
  t.equal(
    many.at(-1),
    'portfolio/datasets.json:1000: is the last error that is named: reading stopped after 1000',
  )
})

t.test('H4: user import and labels load have the bounds of tables', async (t) => {
  const folder = t.testdir()
  const load = async (file: string, content: string, ...args: ReadonlyArray<string>) => {
    writeFileSync(join(folder, file), content)
    return refused(t, folder, ...args, join(folder, file))
  }
  const users = (content: string) => load('users.csv', content, 'user', 'import')
  const labels = (content: string) => load('labels.json', content, 'labels', 'load')
  const head = 'email,lang,subscribed\n'
  t.strictSame(await users(`${head}a@example.org,en,${WORD}\n`), [
    `users.csv:2: subscribed "${SHOWN}" must have at most 65536 characters`,
  ])
  t.strictSame(await users(`${head}${'a"\n'.repeat(3000)}`).then((lines) => [lines.length, lines.at(-1)]), [
    1000,
    'users.csv:1001: is the last error that is named: reading stopped after 1000',
  ])
  t.strictSame(await users(`${head}${'a,de\n'.repeat(3000)}`).then((lines) => lines.length), 1000)
  t.match(await users(`${head}${','.repeat(MIB)}\na@example.org,de,true\n`), [
    /^users\.csv:3: lang "de" must be/,
  ])
  t.strictSame(await labels('['.repeat(100)), ['labels.json:1: is more than 32 deep from here on'])
  t.strictSame(await labels(`[\n{"labelId":"${WORD}"}]`), [
    `labels.json:2: labelId "${SHOWN}" must have at most 65536 characters`,
  ])
  t.strictSame(await labels('{}'), ['labels.json:1: must be an array of rows'])
  t.strictSame(await labels(`[${'{},\n'.repeat(100_000)}{}]`), [
    'labels.json:100001: is row 100001: a table has at most 100000 rows',
  ])
  t.strictSame(await labels(`[${'{},\n'.repeat(3000)}{}]`).then((lines) => lines.length), 1000)
})
