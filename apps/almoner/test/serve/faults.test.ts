import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { logLines } from '../support/almoner.ts'

const LOGGER = join(import.meta.dirname, '../../src/composition/logger.ts')

/** A process that watches for faults as the server does, and then runs some code. */
const withFault = async (code: string) => {
  const script = `
    import { exitOnFaults, makeLogger } from ${JSON.stringify(LOGGER)}
    exitOnFaults(makeLogger('fatal'))
    setInterval(() => {}, 1000)
    ${code}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [err, [exit]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { exit, lines: logLines(err) }
}

for (const [event, code] of [
  ['uncaughtException', "setTimeout(() => { throw new Error('a bug') }, 0)"],
  ['unhandledRejection', "Promise.reject(new Error('a bug'))"],
] as const)
  t.test(`serve: an ${event} is logged as fatal and ends the process with 1`, async (t) => {
    t.match(await withFault(code), {
      exit: 1,
      lines: [{ level: 'fatal', msg: event, err: { message: 'a bug' } }],
    })
  })

// Only Linux shows the mode of a descriptor.
if (process.platform === 'linux')
  t.test('a worker that starts or ends leaves the log of its primary non-blocking', async (t) => {
    const script = `
      import { spawn } from 'node:child_process'
      import { once } from 'node:events'
      import { constants, readFileSync } from 'node:fs'
      import { forwardOutput, makeLogger, WORKER_STDIO } from ${JSON.stringify(LOGGER)}
      const flags = () => Number.parseInt(/flags:\\s*(\\d+)/.exec(readFileSync('/proc/self/fdinfo/2', 'utf8'))[1], 8)
      const said = () => console.log((flags() & constants.O_NONBLOCK) !== 0)
      makeLogger('info').warn('the primary writes')
      said()
      const code = \`
        import { makeLogger, WORKER_LOG } from ${JSON.stringify(LOGGER)}
        process.once('message', () => process.disconnect())
        makeLogger('info', WORKER_LOG).warn('its worker writes')
        process.stderr.write('and something else')
        process.send('ready')\`
      const worker = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: WORKER_STDIO })
      forwardOutput(makeLogger('info'), worker)
      await once(worker, 'message')
      said()
      worker.send('end')
      await once(worker, 'exit')
      said()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
    t.equal(out, 'true\n'.repeat(3), err)
    t.match(logLines(err), [{ msg: 'the primary writes' }, { msg: 'its worker writes' }])
    t.match(err, /^and something else$/m, 'forwarded')
  })
