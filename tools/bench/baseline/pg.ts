// The first page as an expert would write it by hand for PostgreSQL: Fastify and `pg` with named statements on the service's own database. Like
// the service it looks tokens up in the database, and sends ETags, links to the next page and all header fields. Started by fixture.ts.
import { hash } from 'node:crypto'
import pg from 'pg'
import { makeApp, type Query, sendPage, windowOf } from './items.ts'
import { listen, received } from './process.ts'
import { COLUMNS, type Grant, type Row } from './sql-statements.ts'

/** The message that starts it. */
export interface PgOptions {
  /** The address of the service's database. */
  readonly database: string
}

const { database } = await received<PgOptions>()
// Times are integers of 64 bits, all of which are exact as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: database, max: 10 })

const GRANT = {
  name: 'grant',
  text: `select access_token.client_id, access_token.scopes, client.roles from access_token
    join client on client.id = access_token.client_id
    where digest = $1 and expires_at > $2 and client.disabled = 0`,
}
const PAGE = {
  name: 'page',
  text: `select ${COLUMNS} from library_item where status = 'Live' and restricted = 0 and publication_date <= $1
    order by publication_date desc, id desc limit $2 offset $3`,
}

const app = makeApp()
app.get<{ Querystring: Query }>('/library', async (request, reply) => {
  const digest = hash('sha256', request.query.access_token ?? '', 'hex')
  const { rows: grants } = await pool.query<Grant>({ ...GRANT, values: [digest, Date.now()] })
  if (grants.length === 0) return reply.code(401).send({ error: 'invalid_token' })
  const window = windowOf(request.query)
  if (window === undefined) return reply.code(400).send({ error: 'lim or offset' })
  const { most, offset } = window
  const values = [new Date().toISOString().slice(0, 10), most + 1, offset]
  const { rows } = await pool.query<Row>({ ...PAGE, values })
  return sendPage(request, reply, rows, most)
})
await listen(app)
