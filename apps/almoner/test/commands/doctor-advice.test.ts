import { FINDING_CODES } from '@almoner/domain/operations'
import t, { type Test } from 'tap'
import { findingsOf, WITH_PROVIDERS } from '../../src/commands/doctor/doctor.ts'
import { DOCTOR_CODES, type DoctorCode } from '../../src/commands/doctor/finding.ts'
import { HISTORIES, OF_FILE } from '../support/advice/of-file.ts'
import { OF_MACHINE } from '../support/advice/of-machine.ts'
import { OF_SERVER } from '../support/advice/of-server.ts'
import { OF_SETTINGS } from '../support/advice/of-settings.ts'
import { OF_STORED } from '../support/advice/of-stored.ts'
import { type Reason, ROOMY, type Surroundings, type Trial } from '../support/advice/trial.ts'

// Each finding of the doctor is brought about, its advice is followed as it is written, and the finding is gone.

const TRIALS: Readonly<Record<DoctorCode, Trial | Reason>> = {
  ...OF_FILE,
  ...OF_MACHINE,
  ...OF_SERVER,
  ...OF_SETTINGS,
  ...OF_STORED,
  'in-order': { reason: 'there is nothing to do' },
  'check-failed': { reason: 'the console says it, and to run the doctor' },
  'provider-message': { reason: 'only a provider whose rules have changed refuses what it is asked with' },
}

/** Milliseconds for each check: a check that never answers takes all of it. A start waits five seconds for a connection of a full server. */
const LIMIT = 8000

// The AWS client reads its credentials from the process itself.
Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' })

const look = ({ variables, machine }: Surroundings, checks = WITH_PROVIDERS) =>
  findingsOf(variables, checks, { ...ROOMY, ...machine }, LIMIT)

const attempt = async (t: Test, code: DoctorCode, { bringAbout }: Trial) => {
  const { follow, ...before } = await bringAbout(t)
  const findings = await look(before)
  const found = findings.find((finding) => finding.code === code)
  if (found === undefined) {
    t.fail(`${code} is not brought about`, { findings: findings.filter(({ level }) => level !== 'ok') })
    return
  }
  t.not(found.fix, '')
  const after = { ...before, ...(await follow(found)) }
  const same = WITH_PROVIDERS.filter(({ name }) => name === found.check)
  const left = (await look(after, same)).filter((finding) => finding.code === code)
  t.strictSame(left, [], `${code}: ${found.fix}`)
}

t.test('doctor: every finding has a trial of its advice, or a reason why there is none', async (t) => {
  t.strictSame(Object.keys(TRIALS).sort(), [...FINDING_CODES, ...DOCTOR_CODES].sort())
})

for (const [code, trial] of Object.entries(TRIALS))
  if ('bringAbout' in trial)
    t.test(`doctor: the advice for ${code} helps`, (t) => attempt(t, code as DoctorCode, trial))

for (const [name, trial] of Object.entries(HISTORIES))
  t.test(`doctor: the advice helps a database of whose migrations ${name}`, (t) =>
    attempt(t, 'database-history', trial),
  )
