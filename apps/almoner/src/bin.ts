#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// V8 would let its young generation grow to three times 32 MB under load, of which the service gains nothing (docs/adr/0008).
setFlagsFromString('--semi-space-growth-factor=1')

// The program runs as it is written: without a cache, reading it would take half of a command's time. The cache lies beside the
// packages, where only who may change the program can change it; where nobody may write, there is none.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)))

const { run } = await import('./program.ts')

const fail = (error: unknown): never => {
  process.stderr.write(`almoner: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

// A reader that has seen enough, as `head`, is no fault of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') fail(error)
})

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  input: () => text(process.stdin),
  out: (line) => new Promise((resolve) => void process.stdout.write(line, () => resolve())),
  err: (line) => process.stderr.write(line),
  isTerminal: process.stderr.isTTY === true,
}).catch(fail)
