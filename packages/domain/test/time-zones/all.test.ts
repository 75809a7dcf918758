import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

// Due times do not depend on the local time zone: runs the tests of dates and reviews in other time zones, in processes of their own.
const TESTS = ['notifications.test.ts', 'review.test.ts', 'use-cases-notifications.test.ts']

for (const zone of ['Pacific/Auckland', 'America/New_York'])
  t.test(`G1, G2, G4: dates and reviews in ${zone}`, async (t) => {
    const files = TESTS.map((name) => join(import.meta.dirname, '..', name))
    const all = files.map((file) => `await import(${JSON.stringify(file)})`).join('\n')
    const script = `if (new Date(0).getHours() === 0) throw new Error('this is UTC')\n${all}`
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', script],
      {
        env: { ...process.env, TZ: zone },
        encoding: 'utf8',
      },
    )
    const failed = stdout.split('\n').filter((line) => /^not ok/.test(line))
    t.same([status, failed], [0, []], stderr)
    t.match(stdout, /^1\.\.\d{2,}$/m, 'the tests ran')
  })
