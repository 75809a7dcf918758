// Installs the packages that a script of package.json needs, for any Node that npm runs on: `node tools/install.js start` those that the
// service runs on, without the tools of the tests unless they are there; `node tools/install.js` all. Output goes to stderr.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('..', import.meta.url))
const STATE = `${cwd}node_modules/.modules.yaml`

/** Whether packages are installed; with those that only tests need, or without. */
const installed = existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')).included : undefined
const command =
  process.argv[2] === 'start' && installed?.devDependencies !== true ? 'pnpm install --prod' : 'pnpm install'

// A first installation takes long enough to show what it does; a repeated one mostly finds nothing to do.
const stdio = installed === undefined ? [0, 2, 2] : 'pipe'
const { status, stdout, stderr } = spawnSync(command, { cwd, shell: true, stdio })
if (status !== 0 || /^\+ /m.test(stdout ?? '')) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`)
process.exitCode = status ?? 1
