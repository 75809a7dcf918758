import { text } from 'node:stream/consumers'
import { isatty } from 'node:tty'
import { run } from './cli/program.ts'

const fail = (error: unknown): never => {
  process.stderr.write(`almoner: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

// A reader that has seen enough, as `head`, or a closed terminal is no fault of ours. A command goes on: it may have to take something back.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || error.code === 'EIO') return
  process.stderr.write(`almoner: the output cannot be written: ${error.message}\n`)
  process.exitCode = 1
})

// With nohup: Node has set the signal back to what ends a process.
if (![0, 1, 2].some(isatty)) process.on('SIGHUP', () => {})

const write = (part: string | Uint8Array) =>
  new Promise<Error | undefined>((resolve) =>
    process.stdout.write(part, (error) => resolve(error ?? undefined)),
  )

/** Milliseconds until a process ends after its command: a name server or a mounted folder that never answers would keep it. */
const LEFTOVERS = 2000

const code = await run(process.argv.slice(2), {
  environment: process.env,
  input: () => text(process.stdin),
  out: write,
  outBytes: write,
  err: (line) => process.stderr.write(line),
  isTerminal: process.stderr.isTTY === true,
}).catch(fail)
process.exitCode ||= code
setTimeout(() => process.exit(), LEFTOVERS).unref()
