import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROUTE_LIST } from '@almoner/adapters-http'
import type { ItemId } from '@almoner/domain'
import type { LabelId } from '@almoner/domain/values'
import { done, sampleFeedItem } from '@almoner/testkit/contracts'
import t from 'tap'
import { COMMANDS } from '../../src/commands/index.ts'
import { almoner } from '../support/almoner.ts'
import { makeOlder, onStore } from '../support/database.ts'
import { inFolder, inProcess } from '../support/in-process.ts'

/** The words of every command. */
const NAMES = COMMANDS.map(({ usage }) => usage.replace(/ [<[].*/, '').split(' '))

/** Complete command lines that work on the database. */
const ON_DATABASE = [
  ['client', 'add', '--id', 'app', '--scope', 'user'],
  ['client', 'list'],
  ['client', 'rotate', 'app'],
  ['client', 'disable', 'app'],
  ['client', 'enable', 'app'],
  ['labels', 'load', 'labels.json'],
  ['user', 'list'],
  ['user', 'set', 'amina@example.org', '--lang', 'fr'],
  ['user', 'import', 'users.csv'],
  ['notification', 'review'],
]

const LABELS = [
  { labelId: 'water', en: 'Water', fr: 'Eau' },
  { labelId: 'health', en: 'Health', fr: 'Santé' },
]

t.test('--help on each command is exit 0', async (t) => {
  for (const command of [[], ['client'], ['labels'], ['user'], ['notification'], ...NAMES]) {
    const { code, out, err } = await inProcess([...command, '--help'])
    t.strictSame([code, err], [0, ''], command.join(' '))
    t.match(out, `Usage: ${['almoner', ...command].join(' ')}`)
  }
  t.match(await inProcess(['--version']), { code: 0, out: /^\d+\.\d+\.\d+\n$/ })
})

t.test('docs/operations.md names every command and its options', async (t) => {
  const docs = readFileSync(join(import.meta.dirname, '../../../../docs/operations.md'), 'utf8')
  for (const { usage, options = [] } of COMMANDS) {
    const words = usage.replace(/ [<[].*/, '')
    t.match(docs, new RegExp(`\`${words}\\b`), words)
    for (const [flags] of options) t.ok(docs.includes(flags.replace(/ .*/, '')), `${words} ${flags}`)
  }
})

t.test('every command and option that a message, a page or a deployment names exists', async (t) => {
  const root = join(import.meta.dirname, '../../../..')
  const scripts = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts)
  const known = [...scripts, 'install', 'add', 'exec', 'pack', 'publish']
  const files = [
    ...globSync('{apps,packages,tools,testing}/*/src/**/*.{ts,tsx}', { cwd: root }),
    ...globSync('{*,docs/**/*,examples/**/*,{apps,packages}/*/*}.md', { cwd: root }),
    ...globSync('{deploy,.github}/**/*.*', { cwd: root }),
    ...['Dockerfile', 'apps/almoner/almoner.js', 'tools/bundle/almoner.js'],
  ].filter((path) => !path.includes('node_modules'))
  for (const path of files) {
    const text = readFileSync(join(root, path), 'utf8')
    for (const [line, script = ''] of text.matchAll(
      /(?:`|npx -y |^|&& |"|run: )pnpm(?:@12)? (?:-\S+ )*([a-z:-]+)/gm,
    ))
      t.ok(known.includes(script), `${path}: ${line}`)
    for (const [line, rest = ''] of text.matchAll(
      /(?:pnpm(?:@12)? (?:--silent )?|npx |`|\$BIN )almoner ([a-z-][^`"'|;&#\n]*)/gm,
    )) {
      const named = rest.split(/[ .,:)]+/).filter((word) => /^[a-z]+$/.test(word))
      const command = COMMANDS.find(({ usage }) =>
        usage
          .replace(/ [<[].*/, '')
          .split(' ')
          .every((word, n) => word === named[n]),
      )
      const isGroup = NAMES.some(([group, second]) => group === named[0] && second !== undefined)
      t.ok(
        command !== undefined || rest.startsWith('--') || (isGroup && named.length < 3),
        `${path}: ${line}`,
      )
      const flags = [...(command?.options ?? []).map(([flag]) => flag), '--help', '--version', '--json']
      for (const [option] of rest.matchAll(/(?<= |^)--[a-z-]+/g))
        t.ok(
          flags.some((flag) => flag.split(/[ ,]+/).includes(option)),
          `${path}: ${line}`,
        )
    }
  }
})

t.test('wrong usage is exit 2, with nothing on stdout', async (t) => {
  const wrong = [[], ['client'], ['frob'], ['client', 'frob'], ['migrate', '--frob'], ['labels', 'load']]
  for (const args of [
    ...wrong,
    ['user', 'set'],
    ['notification', 'preview'],
    ['notification', 'test'],
    ['notification', 'test', 'some-id'],
    ['doctor', 'extra'],
    ['client', 'rotate'],
    ['client', 'list', 'extra'],
    ['serve', 'extra'],
  ]) {
    const { code, out, err } = await inProcess(args)
    t.strictSame([code, out], [2, ''], args.join(' '))
    t.ok(err.length > 0)
  }
  for (const args of [['frob'], ['frob', '--help'], ['client', 'frob', '--help']])
    t.match(await inProcess(args), { code: 2, out: '', err: "error: unknown command 'frob'\n" })
  for (const [args, known] of [
    [['client', 'ad'], 'add'],
    [['srve', '--demo'], 'serve'],
    [['notif'], 'notification'],
  ] as const)
    t.match(await inProcess(args), { code: 2, out: '', err: `'; did you mean ${known}?\n` })
})

t.test('every command validates the settings: one line per error, exit 1', async (t) => {
  const variables = { ALMONER_PORT: 'x', ALMONER_DATABASE: 'postgres://u:secret@h', ALMONER_PROT: '1' }
  const lines = [
    /^almoner: ALMONER_DATABASE must be an address with the name of a database/,
    'almoner: ALMONER_PORT must be a whole number from 0 to 65535',
    'almoner: ALMONER_PROT is no setting; the nearest one is ALMONER_PORT',
    '',
  ]
  const others = [['serve'], ['migrate'], ['migrate', '--plan'], ['routes'], ['openapi']]
  for (const args of [...ON_DATABASE, ...others]) {
    const { code, out, err } = await inProcess(args, variables)
    t.strictSame([code, out], [1, ''], args.join(' '))
    t.match(err.split('\n'), lines)
    t.notOk(err.includes('secret'))
  }
  const folder = t.testdir()
  t.match(await almoner(folder, ['serve'], variables), { code: 1, out: '' })
  t.strictSame(readdirSync(folder), [])
})

t.test('migrate brings the schema up to date; a second run does nothing', async (t) => {
  const folder = t.testdir()
  const first = await inFolder(folder, ['migrate', '--json'])
  const { applied } = JSON.parse(first.out)
  t.ok(first.code === 0 && applied.length > 0)
  t.strictSame(JSON.parse((await inFolder(folder, ['migrate', '--json'])).out), { applied: [] })
  t.match(await inFolder(folder, ['migrate']), { code: 0, out: 'the schema is up to date\n' })
})

t.test('migrate --plan lists pending migrations, changes nothing and creates no database', async (t) => {
  const folder = t.testdir()
  const { code, out } = await inFolder(folder, ['migrate', '--plan'])
  t.equal(code, 0)
  t.match(out, /^(pending \S+\n)+$/)
  t.strictSame(readdirSync(folder), [])
  await makeOlder(folder)
  for (const _ of [1, 2]) t.strictSame((await inFolder(folder, ['migrate', '--plan'])).out, out)
  await inFolder(folder, ['migrate'])
  t.strictSame(JSON.parse((await inFolder(folder, ['migrate', '--plan', '--json'])).out), { pending: [] })
})

t.test('an older schema is rejected with a hint at almoner migrate, which upgrades it', async (t) => {
  const folder = t.testdir({
    'labels.json': JSON.stringify(LABELS),
    'users.csv': 'email,lang,subscribed\n',
  })
  await makeOlder(folder)
  const lines = ON_DATABASE.map((args) =>
    args.map((arg) => (/\.(?:json|csv)$/.test(arg) ? join(folder, arg) : arg)),
  )
  for (const args of lines) {
    const { code, out, err } = await inFolder(folder, args)
    t.strictSame([code, out], [1, ''], args.join(' '))
    t.match(err, /^almoner: [^\n]*run almoner migrate\n$/)
  }
  t.match(await inFolder(folder, ['migrate']), { code: 0, out: /^(applied \S+\n)+$/ })
  for (const args of lines) t.equal((await inFolder(folder, args)).code, 0, args.join(' '))
})

t.test('a command creates the schema in an empty database', async (t) => {
  t.match(await inFolder(t.testdir(), ['client', 'list', '--json']), { code: 0, out: '[]\n' })
})

t.test('a foreign or missing database is exit 1 with one clear line', async (t) => {
  const folder = t.testdir({ 'a.db': 'this is no database '.repeat(100), file: '' })
  const variables = { ALMONER_DATABASE: 'sqlite:a.db' }
  t.match(await almoner(folder, ['client', 'list'], variables), {
    code: 1,
    err: /^almoner: the database [^\n]+\n$/,
  })
  const below = { ALMONER_DATABASE: 'sqlite:file/a.db' }
  t.match(await almoner(folder, ['client', 'list'], below), {
    code: 1,
    err: /^almoner: the database [^\n]+\n$/,
  })
})

t.test('E1: labels load replaces the labels with those of the file, in its order', async (t) => {
  const folder = t.testdir({ 'labels.json': JSON.stringify(LABELS) })
  t.match(await inFolder(folder, ['labels', 'load', join(folder, 'labels.json')]), {
    code: 0,
    out: '2 labels\n',
  })
  t.strictSame(await onStore(folder, ({ labels }) => done(labels.all())), LABELS)
  writeFileSync(join(folder, 'labels.json'), JSON.stringify(LABELS.toReversed()))
  t.match(await inFolder(folder, ['labels', 'load', join(folder, 'labels.json'), '--json']), {
    out: '{"labels":2,"people":0,"everything":0}\n',
  })
  t.strictSame(await onStore(folder, ({ labels }) => done(labels.all())), LABELS.toReversed())
})

t.test('E1: every bad row is named, and nothing changes', async (t) => {
  const bad = [{ labelId: 'water', en: '', fr: 'Eau' }, 'text', LABELS[1]]
  const folder = t.testdir({ 'labels.json': JSON.stringify(LABELS), 'bad.json': JSON.stringify(bad) })
  await inFolder(folder, ['labels', 'load', join(folder, 'labels.json')])
  const { code, out, err } = await almoner(folder, ['labels', 'load', 'bad.json'])
  t.strictSame([code, out], [1, ''])
  t.equal(
    err,
    'almoner: bad.json:1: en is required\nalmoner: bad.json:1: "text" must be an object with labelId, en and fr\n',
  )
  t.strictSame(await onStore(folder, ({ labels }) => done(labels.all())), LABELS)
})

t.test('E1: a load that omits an attached label fails and names it', async (t) => {
  const folder = t.testdir({
    'labels.json': JSON.stringify(LABELS),
    'less.json': JSON.stringify([LABELS[0]]),
  })
  await inFolder(folder, ['labels', 'load', join(folder, 'labels.json')])
  await onStore(folder, async ({ feedItems, labels }) => {
    const item = sampleFeedItem(1)
    await done(feedItems.add({ item, linksToImages: [] }))
    await done(labels.attach('feed', item.id as ItemId, 'health' as LabelId))
  })
  const { code, err } = await almoner(folder, ['labels', 'load', 'less.json'])
  t.strictSame(
    [code, err],
    [
      1,
      'almoner: less.json: lacks labels that items carry or notifications to be sent have: health. Keep them, or detach them first\n',
    ],
  )
})

t.test('a label file that is missing or not JSON is exit 1 and creates no database', async (t) => {
  const folder = t.testdir({ 'text.json': 'water, health', folder: {} })
  for (const [file, why] of [
    ['none.json', 'none\\.json: is not there\\n$'],
    ['folder', 'folder: is a folder\\n$'],
    ['text.json', 'text\\.json:1: is no JSON from "water, health" on: invalid symbol\\n$'],
  ] as const)
    t.match(await almoner(folder, ['labels', 'load', file]), {
      code: 1,
      err: new RegExp(`^almoner: ${why}`),
    })
  t.strictSame(readdirSync(folder), ['folder', 'text.json'])
})

t.test('routes lists every route with its scope', async (t) => {
  const { code, out } = await inProcess(['routes', '--json'])
  t.equal(code, 0)
  const routes: ReadonlyArray<Record<string, string>> = JSON.parse(out)
  t.strictSame(
    routes.map(({ method, scope }) => [method, scope]),
    ROUTE_LIST.map(({ method, access }) => [method, access]),
  )
  t.ok(routes.some(({ method, path }) => method === 'POST' && path === '/library/<itemId>'))
  const text = await inProcess(['routes'])
  t.equal(text.out.trimEnd().split('\n').length, ROUTE_LIST.length + 1)
})

t.test('openapi prints the OpenAPI document with the base URL', async (t) => {
  const variables = { ALMONER_BASE_URL: 'https://example.org/' }
  for (const args of [['openapi'], ['openapi', '--json']]) {
    const { code, out } = await inProcess(args, variables)
    t.equal(code, 0)
    t.match(JSON.parse(out), { openapi: /^3\.1/, servers: [{ url: 'https://example.org' }] })
  }
})
