#!/usr/bin/env -S node --min-semi-space-size=4
// Begins the program as `pnpm build` has built it, in a checkout and in the package `almoner`; apps/almoner/almoner.js begins it as it is written.
// Asked for this way, a module of Node loads nothing else: an import would read all its exports, and so load streams of files.
const module = process.getBuiltinModule?.('node:module')

// A Node that is too old would say so in terms of what it lacks.
if (module?.enableCompileCache === undefined) {
  process.stderr.write(
    `almoner: Node ${process.versions.node} is too old. Install 22.19 or later; in a checkout, \`npx -y pnpm@12 start:built\` brings its own.\n`,
  )
  process.exit(1)
}

if (!process.getBuiltinModule('node:fs').existsSync(`${import.meta.dirname}/dist/main.js`)) {
  process.stderr.write('almoner: nothing is built yet. `npx -y pnpm@12 build` builds it.\n')
  process.exit(1)
}

const { setFlagsFromString } = process.getBuiltinModule('node:v8')
// Young objects are cleared away in one thread, and their space stays as large as it is at first: 8 MB by the flag above, which has to be
// given when Node starts (docs/adr/0008).
setFlagsFromString('--semi-space-growth-factor=1')
setFlagsFromString('--no-parallel-scavenge')
// Old ones are looked for again when there are two fifths more of them, however quick V8 finds itself (docs/adr/0008).
setFlagsFromString('--heap-growing-percent=40')

// The program runs as it is written: without a cache, reading it would take half of a command's time. The cache lies beside the
// packages, where only who may change the program can change it; where nobody may write, there is none.
module.enableCompileCache(`${import.meta.dirname}/node_modules/.cache/compile`)

await import('./dist/main.js')
