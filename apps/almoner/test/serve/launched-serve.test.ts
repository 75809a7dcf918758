import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { almoner, logLines } from '../support/almoner.ts'

const BIN = join(import.meta.dirname, '../../almoner.js')

/** Shell scripts that replace `npx` and `pnpm`: they start a command and forward no signal. */
const SCRIPTS = {
  npx: 'sh -c "sh ./pnpm; true"; true\n',
  pnpm: `sh -c '"$NODE" "$BIN" serve; true'; true\n`,
}

/** Something that runs, and its log. */
interface Launched {
  readonly child: ChildProcess
  /** Reads the log on until a line with a message, and gives that. */
  readonly lineOf: (message: string) => Promise<Record<string, unknown>>
  /** Resolves when every process that writes the log has ended. */
  readonly ended: () => Promise<void>
}

/** Ends a process that a test which fails would leave behind. */
const killIfThere = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

const launch = (t: Test, folder: string, args: ReadonlyArray<string>, workers: string): Launched => {
  const child = spawn('sh', args, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE: process.execPath,
      BIN,
      ALMONER_PORT: '0',
      ALMONER_WORKERS: workers,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    // With a process group, as the job of a shell.
    detached: true,
  })
  t.teardown(() => child.kill('SIGKILL'))
  const log = createInterface(child.stderr)[Symbol.asyncIterator]()
  const lineOf: Launched['lineOf'] = async (message) => {
    const { value, done } = await log.next()
    if (done) throw new Error(`the log ended without ${message}`)
    const line = logLines(value).find(({ msg }) => msg === message)
    if (line === undefined) return lineOf(message)
    if (message === 'listening') t.teardown(() => killIfThere(Number(line['pid'])))
    return line
  }
  const ended = async () => {
    while ((await log.next()).done !== true);
  }
  return { child, lineOf, ended }
}

const listenOn = async (port: number): Promise<void> => {
  const server = createServer()
  await once(server.listen({ host: '127.0.0.1', port }), 'listening')
  server.close()
}

// Only Linux shows a process its ancestors.
if (process.platform === 'linux')
  for (const workers of ['1', '2'])
    t.test(
      `serve: SIGTERM to npx alone stops the server and frees its port; workers: ${workers}`,
      async (t) => {
        const { child: npx, lineOf, ended } = launch(t, t.testdir(SCRIPTS), ['npx'], workers)
        const { url } = await lineOf('listening')
        npx.kill('SIGTERM')
        // Of primary and workers, each writes its own line, in any order.
        let stopping = await lineOf('stopping')
        while (stopping['reason'] === 'told by the primary') stopping = await lineOf('stopping')
        t.match(stopping, { reason: /^the npx or pnpm that started this/ })
        t.match(await lineOf('stopped'), { level: 'info' })
        await ended()
        await listenOn(Number(new URL(String(url)).port))
      },
    )

t.test('serve: with nohup a server outlives its shell and the terminal, and stops at SIGTERM', async (t) => {
  // The server of the first round may still be closing its files in the second.
  const folders = t.testdir({ 1: {}, 2: {} })
  for (const workers of ['1', '2']) {
    const folder = join(folders, workers)
    const { child: shell, lineOf } = launch(t, folder, ['-c', 'nohup "$NODE" "$BIN" serve &'], workers)
    const gone = once(shell, 'exit')
    const { url, pid } = await lineOf('listening')
    await gone
    process.kill(-Number(shell.pid), 'SIGHUP')
    t.match(await lineOf('SIGHUP is ignored: this process has no terminal'), { level: 'info' })
    t.equal((await fetch(`${url}/health/live`)).status, 200, workers)
    process.kill(Number(pid), 'SIGTERM')
    t.match(await lineOf('stopped'), { level: 'info' })
  }
})

t.test('serve: SIGHUP stops a process with a terminal as SIGTERM does', async (t) => {
  const program = (hasTerminal: boolean) => `
    import { aborted, stopRequest } from '${join(import.meta.dirname, '../../src/serve/signals.ts')}'
    const log = (...words) => console.log(JSON.stringify(words))
    const { signal } = stopRequest({ info: log, warn: log }, 0, ${hasTerminal})
    console.log('ready')
    const awake = setInterval(() => {}, 1000)
    await aborted(signal)
    clearInterval(awake)`
  for (const [hasTerminal, said] of [
    [true, /"signal":"SIGHUP"/],
    [false, /SIGHUP is ignored/],
  ] as const) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program(hasTerminal)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    await lines.next()
    child.kill('SIGHUP')
    t.match((await lines.next()).value, said)
    if (!hasTerminal) child.kill('SIGTERM')
    t.strictSame(await once(child, 'exit'), [0, null])
  }
})

t.test('serve: if the port is in use, the error names it and the fix', async (t) => {
  const taken = createServer()
  await once(taken.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => taken.close())
  const address = taken.address()
  const port = typeof address === 'object' ? String(address?.port) : ''
  const mend = (setting: string) =>
    `almoner: the server cannot listen: port ${port} is in use (EADDRINUSE). Set ${setting}, or stop the process that holds it.\n`
  for (const workers of ['1', '2']) {
    const main = await almoner(t.testdir(), ['serve'], { ALMONER_PORT: port, ALMONER_WORKERS: workers })
    t.strictSame([main.code, main.err], [1, mend('ALMONER_PORT to another port')])
  }
  const metrics = { ALMONER_PORT: '0', ALMONER_METRICS: `127.0.0.1:${port}` }
  const apart = await almoner(t.testdir(), ['serve'], metrics)
  t.strictSame([apart.code, apart.err], [1, mend('ALMONER_METRICS to another HOST:PORT')])
})
