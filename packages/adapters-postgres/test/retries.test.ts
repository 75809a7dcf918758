import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { ConnectionLost, DatabaseFull, faultOf, faultOfConnecting, isConnectionLost } from '../src/fault.ts'
import { withRetry } from '../src/retries.ts'

// I5 and I10: what passes is tried again, what stays is not.

const ofServer = (code: string) =>
  faultOf(Object.assign(new pg.DatabaseError('a fault', 7, 'error'), { code, severity: 'ERROR' }))

/** Runs work that always fails, and returns how often it ran. */
const runsWith = async (t: Test, fault: Error) => {
  let runs = 0
  const work = withRetry(async () => {
    runs += 1
    throw fault
  })
  await work.catch((cause) => t.equal(cause, fault))
  return runs
}

const KINDS: ReadonlyArray<readonly [name: string, fault: Error, runs: number]> = [
  ['a lost connection', new ConnectionLost('gone'), 5],
  ['a session that the server ends', ofServer('57P01'), 5],
  ['a transaction that gave way', ofServer('40001'), 10],
  ['a deadlock', ofServer('40P01'), 10],
  ['a constraint that another row breaks', ofServer('23505'), 3],
  ['damaged data', ofServer('XX001'), 2],
  ['an internal fault of the server', ofServer('XX000'), 2],
  ['a server without room for connections', new DatabaseFull('full'), 1],
  ['a server that says nothing', new DatabaseUnavailable('the database does not answer'), 1],
  ['a lock that another holds', ofServer('55P03'), 1],
  ['a wrong statement', ofServer('42601'), 1],
  ['a bug', new TypeError('undefined is not a function'), 1],
]

for (const [name, fault, runs] of KINDS)
  t.test(`I10: after ${name}, work runs ${runs} times`, async (t) => {
    t.equal(await runsWith(t, fault), runs)
  })

t.test('I10: two seconds after work began, a lost connection ends it', async (t) => {
  let now = 0
  t.intercept(performance, 'now', { value: () => now })
  let runs = 0
  const work = withRetry(async () => {
    runs += 1
    now += 1500
    throw new ConnectionLost('gone')
  })
  await t.rejects(work, { message: 'gone' })
  t.equal(runs, 2)
})

t.test('I10: a server that cannot be reached is not asked again for the same request', async (t) => {
  const ofNode = (code: string) => Object.assign(new Error(`connect ${code} 127.0.0.1:5432`), { code })
  for (const cause of [
    ofNode('ECONNREFUSED'),
    ofNode('ENOENT'),
    ofNode('ENOTFOUND'),
    ofNode('EHOSTUNREACH'),
    ofNode('ETIMEDOUT'),
    ofNode('CERT_HAS_EXPIRED'),
    new Error('The server does not support SSL connections'),
    new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
  ])
    t.notOk(isConnectionLost(faultOfConnecting(cause)), cause.message)
  for (const cause of [
    ofNode('ECONNRESET'),
    ofNode('EPIPE'),
    new Error('Connection terminated unexpectedly'),
    ofServer('57P03'),
  ])
    t.ok(isConnectionLost(faultOfConnecting(cause)), cause.message)
})
