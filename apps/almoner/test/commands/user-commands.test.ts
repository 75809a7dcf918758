import { execFileSync } from 'node:child_process'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import type { User } from '@almoner/domain/people'
import t from 'tap'
import { run } from '../../src/cli/program.ts'
import { almoner } from '../support/almoner.ts'
import { DEFAULT_DATABASE, makeCurrent, onStore } from '../support/database.ts'
import { inFolder } from '../support/in-process.ts'

const usersIn = (folder: string): Promise<ReadonlyArray<User>> =>
  onStore(folder, async ({ users }) => {
    const all: Array<User> = []
    for await (const batch of users.all()) all.push(...batch)
    return all
  })

/** Imports a text from a file with this name. */
const importing = (folder: string, text: string | Buffer, isTerminal = false) => {
  const file = join(folder, 'users.csv')
  writeFileSync(file, text)
  return inFolder(folder, ['user', 'import', file], isTerminal)
}

/** The lines of faults, without the name of the program and the file's folder. */
const faultsIn = (folder: string, err: string): ReadonlyArray<string> =>
  err
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(`almoner: ${folder}/`, ''))

const AMINA = { email: 'amina@example.org', lang: 'fr', subscribed: true, topics: [] }

t.test('F2: user set creates or changes a user; omitted values stay', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const set = (...args: ReadonlyArray<string>) => inFolder(folder, ['user', 'set', ...args])
  const made = await set('Amina@Example.org', '--lang', 'FR', '--json')
  t.strictSame([made.code, made.err, JSON.parse(made.out)], [0, '', AMINA])
  const changed = await set('amina@example.org', '--subscribed', 'false')
  t.strictSame(
    [changed.code, changed.out],
    [0, 'LANG  SUBSCRIBED  EMAIL              TOPICS\nfr    false       amina@example.org  -\n'],
  )
  t.strictSame(await usersIn(folder), [{ ...AMINA, subscribed: false }])
})

t.test('user set: wrong usage is exit 2 with one line that names everything', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const set = (...args: ReadonlyArray<string>) => inFolder(folder, ['user', 'set', ...args])
  t.match(await set('amina', '--lang', 'de', '--subscribed', 'maybe'), {
    code: 2,
    out: '',
    err: 'almoner: EMAIL must be an email address; --lang must be en or fr; --subscribed must be true or false\n',
  })
  t.match(await set('amina@example.org'), {
    code: 2,
    err: 'almoner: give --lang, --subscribed or --topics\n',
  })
})

t.test('user list prints every user by email, as a table or as one JSON document', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const list = (...args: ReadonlyArray<string>) => inFolder(folder, ['user', 'list', ...args])
  t.match(await list(), { code: 0, out: 'LANG  SUBSCRIBED  EMAIL  TOPICS\n' })
  t.match(await list('--json'), { code: 0, out: '[]\n' })
  await importing(folder, 'email,lang,subscribed\nben@example.org,en,0\namina@example.org,fr,1\n')
  t.equal(
    (await list()).out,
    'LANG  SUBSCRIBED  EMAIL  TOPICS\nfr    true        amina@example.org  -\nen    false       ben@example.org    -\n',
  )
  t.strictSame(JSON.parse((await list('--json')).out), [
    AMINA,
    { email: 'ben@example.org', lang: 'en', subscribed: false, topics: [] },
  ])
})

t.test('user list reads few users at a time, as its output is consumed', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const many = Array.from({ length: 5000 }, (_, n) => `reader-${n}@example.org,en,true`)
  await importing(folder, ['email,lang,subscribed', ...many].join('\n'))
  for (const json of [[], ['--json']]) {
    const parts: Array<string> = []
    let writing = false
    const code = await run(['user', 'list', ...json], {
      environment: { ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}` },
      out: async (text) => {
        t.notOk(writing)
        writing = true
        await new Promise(setImmediate)
        parts.push(text)
        writing = false
      },
      err: () => {},
      input: async () => '',
      isTerminal: false,
    })
    t.equal(code, 0)
    const all = parts.join('')
    t.equal(json.length > 0 ? JSON.parse(all).length : all.trimEnd().split('\n').length - 1, 5000)
    t.ok(
      parts.every((part) => part.length < all.length / 2),
      'in chunks',
    )
  }
})

t.test('all output is written before the program exits', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const many = Array.from({ length: 5000 }, (_, n) => `reader-${n}@example.org,en,true`)
  await importing(folder, ['email,lang,subscribed', ...many].join('\n'))
  const { code, out } = await almoner(folder, ['user', 'list', '--json'])
  t.strictSame([code, JSON.parse(out).length], [0, 5000])
})

t.test(
  'F2: user import accepts columns in any order, quotes, a byte order mark and any line ending',
  async (t) => {
    const folder = t.testdir()
    await makeCurrent(folder)
    for (const [bom, end] of [
      ['', '\n'],
      ['\uFEFF', '\r\n'],
      ['', '\r'],
    ] as const) {
      const rows = ['subscribed,"email",lang', '', 'TRUE,"Amina@example.org",FR', '0,ben@example.org,en', '']
      const { code, out, err } = await importing(folder, bom + rows.join(end))
      t.strictSame([code, out, err], [0, '2 users\n', ''])
      t.strictSame(await usersIn(folder), [
        AMINA,
        { email: 'ben@example.org', lang: 'en', subscribed: false, topics: [] },
      ])
    }
  },
)

t.test('F2: an import replaces users in the file and keeps the others', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  await importing(folder, 'email,lang,subscribed\namina@example.org,en,0\nben@example.org,en,1\n')
  const { out } = await inFolder(folder, ['user', 'import', join(folder, 'users.csv'), '--json'])
  t.equal(out, '{"users":2}\n')
  await importing(folder, 'email,lang,subscribed\namina@example.org,fr,1\n')
  t.strictSame(await usersIn(folder), [
    AMINA,
    { email: 'ben@example.org', lang: 'en', subscribed: true, topics: [] },
  ])
})

const QUOTES =
  'has quotes that are not as RFC 4180 has them: put the whole cell in quotes, and double those in it'

t.test('F2: every bad row is named by its line, and nothing changes', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  await importing(folder, 'email,lang,subscribed\namina@example.org,fr,1\n')
  const rows = [
    'email,lang,subscribed',
    'ben@example.org,en,1',
    'ben,de',
    '',
    '"of two',
    'lines",en,maybe,more',
    'Ben@Example.org,en,1',
  ]
  const { code, out, err } = await importing(folder, rows.join('\r\n'))
  t.strictSame([code, out], [1, ''])
  t.strictSame(faultsIn(folder, err), [
    'users.csv:3: email "ben" must be an email address',
    'users.csv:3: lang "de" must be en or fr',
    'users.csv:3: subscribed is required',
    'users.csv:5: column 4 "more" is one too many, as the head has 3: put a text that holds separators in quotes',
    'users.csv:5: email "of two  lines" must be an email address',
    'users.csv:5: subscribed "maybe" must be true or false',
    'users.csv:7: email "Ben@Example.org" comes a second time: keep one of the two rows',
  ])
  t.strictSame(await usersIn(folder), [AMINA])
})

t.test('F6: user set and user import change topics, which must be labels', async (t) => {
  const folder = t.testdir({
    'labels.json': JSON.stringify(['water', 'health'].map((id) => ({ labelId: id, en: id, fr: id }))),
    'fewer.json': JSON.stringify([{ labelId: 'health', en: 'Health', fr: 'Santé' }]),
  })
  await makeCurrent(folder)
  const run = (...args: ReadonlyArray<string>) => inFolder(folder, args)
  const topics = async () => (await usersIn(folder)).map((user) => user.topics)
  t.equal((await run('labels', 'load', join(folder, 'labels.json'))).out, '2 labels\n')
  t.match(await run('user', 'set', 'amina@example.org', '--topics', 'water,health,water'), { code: 0 })
  t.strictSame(await topics(), [['water', 'health']])
  t.match(await run('user', 'set', 'amina@example.org', '--topics', 'water,arts,sport'), {
    code: 2,
    err: 'almoner: --topics names no labels: arts, sport\n',
  })
  await importing(folder, 'email,lang,subscribed\namina@example.org,fr,1\nben@example.org,fr,1\n')
  t.strictSame(await topics(), [['water', 'health'], []], 'without the column they stay')
  const head = 'email,lang,subscribed,topics\n'
  const refused = await importing(
    folder,
    `${head}amina@example.org,fr,1,water\nben@example.org,fr,1,"arts water"\n`,
  )
  t.strictSame(faultsIn(folder, refused.err), [
    'users.csv:3: topics "arts water" must be identifiers of labels',
  ])
  t.strictSame(await topics(), [['water', 'health'], []], 'nothing has changed')
  await importing(folder, `${head}amina@example.org,fr,1,water\nben@example.org,fr,1, health  water \n`)
  t.strictSame(await topics(), [['water'], ['health', 'water']])
  t.equal(
    (await run('labels', 'load', join(folder, 'fewer.json'))).out,
    '1 labels; people who followed a removed one: 2, of whom 1 now follow everything\n',
  )
  t.strictSame(await topics(), [[], ['health']])
  t.match(await run('user', 'set', 'ben@example.org', '--topics', ''), { code: 0 })
  t.strictSame(await topics(), [[], []])
})

t.test('user import: missing, unknown and repeated columns are named', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const faults = async (text: string) => faultsIn(folder, (await importing(folder, text)).err)
  t.strictSame(await faults(''), [
    'users.csv:1: must begin with the names of its columns: email, lang, subscribed, topics',
  ])
  t.strictSame(await faults('\nemail,Lang,subscribed,lang,tongue\na@example.org,en,1,en,en\n'), [
    'users.csv:2: lang is given twice: keep one of the two columns',
    'users.csv:2: tongue is no column of users: the nearest known name is lang',
  ])
})

t.test('F2: bad columns, badly quoted rows and bad rows are named together', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const faults = async (...rows: ReadonlyArray<string>) =>
    faultsIn(folder, (await importing(folder, rows.join('\n'))).err)
  t.strictSame(
    await faults('email,language,subscribed', 'nobody,fr,1', '"a"b,fr,1', 'a@example.org,fr,maybe', '"never'),
    [
      'users.csv:1: language is no column of users: the nearest known name is lang',
      'users.csv:1: lacks the column lang: add it',
      'users.csv:2: email "nobody" must be an email address',
      `users.csv:3: email ""a"b,fr,1 a@example.org,fr,maybe "never" ${QUOTES}`,
      'users.csv:4: subscribed "maybe" must be true or false',
      `users.csv:5: email ""never" ${QUOTES}`,
    ],
  )
  t.strictSame(await faults('email,"la"ng,subscribed', 'nobody,fr,1'), [
    `users.csv:1: column 2 ""la"ng,subscribed nobody,fr,1" ${QUOTES}`,
  ])
  t.equal((await inFolder(folder, ['user', 'list', '--json'])).out, '[]\n')
})

t.test('user import: a file that is missing, not CSV or not UTF-8 is exit 1 with one line', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const head = 'email,lang,subscribed\namina@example.org,fr,1\n'
  for (const [row, value] of [
    ['"ben@example.org,en,1\nclara@example.org,en,1\n', '"ben@example.org,en,1 clara@example.org,…'],
    ['b"n@example.org,en,1\n', 'b"n@example.org,en,1 '],
  ])
    t.strictSame(faultsIn(folder, (await importing(folder, head + row)).err), [
      `users.csv:3: email "${value}" ${QUOTES}`,
    ])
  await importing(folder, Buffer.from(`${head}zoé@example.org,en,1\n`, 'latin1'))
  const notUtf8 = await inFolder(folder, ['user', 'import', join(folder, 'users.csv')])
  t.strictSame(faultsIn(folder, notUtf8.err), [
    'users.csv:3: email "zoé@example.org" is not in UTF-8: save the file as "CSV UTF-8"',
  ])
  mkdirSync(join(folder, 'folder'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  for (const [file, why] of [
    ['none.csv', 'is not there'],
    ['folder', 'is a folder'],
    ['pipe', 'is no regular file'],
  ] as const)
    t.match(await inFolder(folder, ['user', 'import', join(folder, file)]), {
      code: 1,
      err: `almoner: ${join(folder, file)}: ${why}\n`,
    })
  t.strictSame(await inFolder(folder, ['user', 'list', '--json']).then(({ out }) => out), '[]\n')
})

t.test('F2: user import reads no more than 64 MiB', async (t) => {
  const folder = t.testdir({ 'users.csv': '' })
  await makeCurrent(folder)
  const file = join(folder, 'users.csv')
  truncateSync(file, 64 * 1024 * 1024 + 1)
  t.match(await inFolder(folder, ['user', 'import', file]), {
    code: 1,
    err: `almoner: ${file}: has more than 64 MiB\n`,
  })
})

t.test('user list: an error outside the database is not reported as a database error', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  await importing(folder, 'email,lang,subscribed\namina@example.org,fr,1\n')
  const lines: Array<string> = []
  const listing = (fault: Error) =>
    run(['user', 'list'], {
      environment: { ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}` },
      out: () => {
        throw fault
      },
      err: (line) => lines.push(line),
      input: async () => '',
      isTerminal: false,
    })
  await t.rejects(listing(new Error('a bug')), { message: 'a bug' })
  t.strictSame(lines, [])
  t.equal(await listing(new DatabaseUnavailable(new Error('disk full'))), 1)
  t.strictSame(lines, ['almoner: the database is not available: disk full\n'])
})

t.test('user import shows its progress on a terminal only', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const many = Array.from({ length: 10_000 }, (_, n) => `reader-${n}@example.org,${n % 2 ? 'fr' : 'en'},1`)
  const text = ['email,lang,subscribed', ...many].join('\n')
  const watched = await importing(folder, text, true)
  t.strictSame([watched.code, watched.out], [0, '10000 users\n'])
  t.match(watched.err, '\r1000 rows read\u001b[K')
  t.match(watched.err, '\r10000 users being written\u001b[K')
  t.ok(watched.err.endsWith('\r\u001b[K'), 'and clears it away')
  t.strictSame(await importing(folder, text), { code: 0, out: '10000 users\n', err: '' })
  t.equal((await usersIn(folder)).length, 10_000)
})
