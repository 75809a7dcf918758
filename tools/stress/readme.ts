// Pastes the README's tour into a shell, against the server that `pnpm start` starts: node tools/stress/readme.ts
// To be run in a folder where `npx -y pnpm@12 start` is running.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
const lines = [...readme.matchAll(/```sh tour\n(.*?)```/gs)].map(([, block]) => block).join('')

process.stdout.write(execFileSync('bash', ['-e', '-o', 'pipefail', '-c', lines], { encoding: 'utf8' }))
