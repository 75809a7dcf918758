import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { run } from '../../src/cli/program.ts'
import { COMMANDS } from '../../src/commands/index.ts'
import { credentialsCheck, DEFAULT_DATABASE, makeCurrent, onStore } from '../support/database.ts'
import { inFolder } from '../support/in-process.ts'

/** Runs a command whose output cannot be written. */
const unprinted = async (folder: string, ...args: ReadonlyArray<string>) => {
  let err = ''
  const code = await run(args, {
    environment: { ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}` },
    input: async () => '',
    out: async () => new Error('the disk is full'),
    err: (text) => {
      err += text
    },
    isTerminal: false,
  })
  return { code, err }
}

const CLIENT = ['client', 'add', '--id', 'app', '--scope', 'user']

t.test('operations.md: a client whose secret could not be printed is not registered', async (t) => {
  const folder = t.testdir()
  for (const _ of [1, 2])
    t.strictSame(await unprinted(folder, ...CLIENT), {
      code: 1,
      err: 'almoner: the client app is not registered, because its secret could not be printed\n',
    })
  t.match(await inFolder(folder, ['client', 'list', '--json']), { code: 0, out: '[]\n' })
  const { code, out } = await inFolder(folder, CLIENT)
  t.equal(code, 0)
  t.equal(await credentialsCheck(folder, 'app', JSON.parse(out).client_secret), 'app')
})

t.test('operations.md: other secrets and links that could not be printed are reported as lost', async (t) => {
  const folder = t.testdir()
  await inFolder(folder, CLIENT)
  const manager = ['eve@example.org', '--name', 'Eve', '--duty', 'editor', '--lang', 'en']
  for (const [args, cure] of [
    [['client', 'rotate', 'app'], 'client rotate app'],
    [['manager', 'add', ...manager], 'manager link eve@example.org'],
    [['manager', 'link', 'eve@example.org'], 'manager link eve@example.org'],
  ] as const) {
    const { code, err } = await unprinted(folder, ...args)
    t.equal(code, 1, args.join(' '))
    t.match(err, new RegExp(`^almoner: [^\n]* is lost: run almoner ${cure}\n$`), args.join(' '))
    t.equal((await inFolder(folder, cure.split(' '))).code, 0, cure)
  }
})

/** Ways in which a process cannot write its output. */
const UNWRITABLE = {
  'a file that is not open for writing': () => openSync(import.meta.filename, 'r'),
  ...(existsSync('/dev/full') && { 'a full disk': () => openSync('/dev/full', 'w') }),
  'a reader that has gone': () => 'pipe' as const,
}

for (const [name, output] of Object.entries(UNWRITABLE))
  t.test(`operations.md: client add > ${name}`, async (t) => {
    const folder = t.testdir()
    await makeCurrent(folder)
    const program = join(import.meta.dirname, '../../almoner.js')
    const child = spawn(process.execPath, [program, ...CLIENT], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', output(), 'pipe'],
    })
    child.stdout?.destroy()
    let err = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    const [code] = await once(child, 'close')
    t.equal(code, 1)
    t.match(err, /the client app is not registered/)
    await onStore(folder, async ({ clients }) => t.strictSame(await done(clients.all()), []))
  })

/** They make what they are about. */
const MAKES = ['manager add <EMAIL>', 'user set <EMAIL>']

t.test('operations.md: commands about one person or client exit 1 where there is none', async (t) => {
  const folder = t.testdir()
  await makeCurrent(folder)
  const about = COMMANDS.map(({ usage }) => usage).filter((usage) => /<(?:EMAIL|ID)>/.test(usage))
  t.ok(about.length > 8)
  for (const usage of about.filter((usage) => !MAKES.includes(usage))) {
    const words = usage.replace('<EMAIL>', 'x@example.org').replace('<ID>', 'x').replace('<DUTY>', 'editor')
    const { code, out, err } = await inFolder(folder, words.split(' '))
    t.strictSame([code, out], [1, ''], usage)
    t.match(err, /^almoner: [^\n]+\n$/, usage)
  }
  t.match(await inFolder(folder, ['manager', 'sessions', 'x@example.org', '--end']), { code: 1, out: '' })
})
