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
