// Runs the tests beside it in one process: starting one costs more than most of them.
import { globSync } from 'node:fs'

for (const name of globSync('*.test.ts', { cwd: import.meta.dirname }).sort())
  if (name !== 'all.test.ts') await import(`./${name}`)
