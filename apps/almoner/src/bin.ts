#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// The program runs as it is written: without a cache, reading it would take half of a command's time.
enableCompileCache()

const { run } = await import('./program.ts')

// A reader that has seen enough, as `head`, is no fault of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
