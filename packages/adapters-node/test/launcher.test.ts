import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { isUnbroken, launcherChain, type Processes, stopWithLauncher } from '../src/launcher.ts'

type Table = Readonly<Record<number, readonly [parent: number, ...command: ReadonlyArray<string>]>>

const processesOf = (table: () => Table): Processes => ({
  parentOf: (pid) => table()[pid]?.[0],
  commandOf: (pid) => table()[pid]?.slice(1).map(String),
})

/** As the processes of `npx -y pnpm@12 start` are, in a terminal. */
const BY_NPX: Table = {
  2: [1, '-bash'],
  3: [2, 'npm exec pnpm@12 start'],
  4: [3, 'sh', '-c', "'pnpm' start"],
  5: [4, 'pnpm', 'start'],
  6: [5, 'sh', '-c', 'node apps/almoner/almoner.js serve --demo'],
  7: [6, 'node', 'apps/almoner/almoner.js', 'serve', '--demo'],
}

const CASES: ReadonlyArray<readonly [string, Table, ReadonlyArray<number>]> = [
  ['npx in a terminal', BY_NPX, [7, 6, 5, 4, 3]],
  ['pnpm in a terminal', { ...BY_NPX, 5: [2, 'pnpm', 'start'] }, [7, 6, 5]],
  ['npx that runs under Node', { ...BY_NPX, 3: [2, 'node', '/usr/bin/npx', 'pnpm@12'] }, [7, 6, 5, 4, 3]],
  ['npx in a script', { ...BY_NPX, 2: [1, 'bash', '-c', 'npx pnpm start; true'] }, [7, 6, 5, 4, 3]],
  ['pnpm that nobody waits for', { ...BY_NPX, 5: [1, 'pnpm', 'start'] }, [7, 6, 5]],
  ['pnpm in a container', { ...BY_NPX, 5: [0, 'pnpm', 'start'] }, [7, 6, 5]],
  ['a terminal', { ...BY_NPX, 7: [2, 'node', 'almoner.js', 'serve'] }, [7]],
  ['a shell that runs one command', { ...BY_NPX, 6: [2, 'sh', '-c', 'node almoner.js serve'] }, [7]],
  ['systemd', { ...BY_NPX, 7: [1, 'node', 'almoner.js', 'serve'] }, [7]],
  ['a test runner', { ...BY_NPX, 6: [5, 'node', 'some.test.ts'] }, [7]],
]

for (const [name, table, chain] of CASES)
  t.test(`serve: the server ends with the package manager that started it: ${name}`, async (t) => {
    t.strictSame(
      launcherChain(
        processesOf(() => table),
        7,
      ),
      chain,
    )
  })

t.test('serve: without information about processes nothing is watched', async (t) => {
  const silent = { parentOf: () => undefined, commandOf: () => undefined }
  t.strictSame(launcherChain(silent, 7), [7])
  t.ok(isUnbroken(silent, [7]))
})

/** Whether a server asks to stop after something has happened to the processes that started it. */
const stopsAfter = (t: Test, before: Table, after: Table, isDetached = false): boolean => {
  mock.timers.enable({ apis: ['setInterval'] })
  try {
    let table = { ...before, [process.pid]: before[7] ?? [1] } as Table
    const asked: Array<object> = []
    const request = { make: (reason: object) => void asked.push(reason), isDetached: () => isDetached }
    stopWithLauncher(
      request,
      processesOf(() => table),
    )
    mock.timers.tick(5000)
    t.strictSame(asked, [], 'nothing has happened yet')
    table = { ...after, [process.pid]: after[7] ?? [1] }
    mock.timers.tick(5000)
    return asked.length > 0
  } finally {
    mock.timers.reset()
  }
}

t.test('serve: it stops when npx, its shell or pnpm exits, and not for processes above them', async (t) => {
  const orphaned = (pid: number, [, ...command]: Table[number] = [1]): Table => ({
    ...BY_NPX,
    [pid]: [1, ...command],
  })
  for (const pid of [4, 5, 6, 7]) {
    t.ok(stopsAfter(t, BY_NPX, orphaned(pid, BY_NPX[pid])), `orphan ${pid}`)
    t.notOk(stopsAfter(t, BY_NPX, orphaned(pid, BY_NPX[pid]), true), `orphan ${pid}, by nohup`)
  }
  t.notOk(stopsAfter(t, BY_NPX, orphaned(3, BY_NPX[3])), 'the terminal was closed')
  const detached: Table = { ...BY_NPX, 6: [2, 'sh', '-c', 'nohup almoner serve &'] }
  t.notOk(stopsAfter(t, detached, { ...detached, 7: [1, 'node', 'almoner.js', 'serve'] }), 'nohup')
})
