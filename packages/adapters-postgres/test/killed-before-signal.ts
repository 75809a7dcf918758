import * as E from 'fp-ts/lib/Either.js'
import pg from 'pg'
import { openPostgres, parsePostgresUrl } from '../src/index.ts'

// A process that commits a change of labels, and is killed at the moment at which it sends the signal. Usage: node killed-before-signal.ts URL

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...args: Parameters<typeof query>) {
  if (/pg_notify\(/.test(JSON.stringify(args[0]))) process.kill(process.pid, 'SIGKILL')
  return query.apply(this, args)
} as typeof query

const place = parsePostgresUrl(process.argv[2] ?? '')
if (E.isLeft(place)) throw new Error(place.left)
const opened = await openPostgres({ place: place.right })()
if (E.isLeft(opened)) throw opened.left.cause
await opened.right.write(async () => E.right(undefined), { notify: ['labels'] })()
