import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { HOST_ROLES } from '../../packages/adapters-postgres/test/host-roles.ts'
import { check, options, progress, report } from './campaign.ts'

// Runs all contracts on PostgreSQL once for each kind of host: with its settings of the role, its limit of connections, and its other objects in the database
// (I10).

const { role: only } = options({ role: '' })

const CONTRACTS = join(import.meta.dirname, '../../packages/adapters-postgres/test/contracts/all.test.ts')

const roles: Record<string, { tests: number; failed: number; seconds: number }> = {}

for (const { name } of HOST_ROLES.filter((role) => only === '' || role.name === only)) {
  progress(name)
  const start = performance.now()
  const env = { ...process.env, TEST_ROLE: name, TAP_TIMEOUT: '3600' }
  const child = spawn(process.execPath, [CONTRACTS], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [lines, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  const tests = lines.match(/^ok .*$/gm)?.length ?? 0
  const failures = lines.match(/^not ok .*$/gm) ?? []
  roles[name] = { tests, failed: failures.length, seconds: Math.round((performance.now() - start) / 1000) }
  check(code === 0 && tests > 400, `${name} ended with ${code} after ${tests} tests`)
  for (const failure of failures) check(false, `${name}: ${failure}`)
}

report({ roles })
