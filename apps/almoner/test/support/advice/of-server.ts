import { randomUUID } from 'node:crypto'
import { type Cluster, sharedCluster, startPooler } from '@almoner/postgres-server'
import type { Test } from 'tap'
import { startS3Store } from '../../../../../packages/adapters-media/test/support/s3-store.ts'
import type { Variables } from '../almoner.ts'
import { obey, placesIn, type Trial } from './trial.ts'

/** A database on the shared server that a role owns. */
interface Place {
  readonly cluster: Cluster
  readonly name: string
  readonly role: string
  readonly variables: Variables
  readonly ask: (statement: string) => Promise<unknown>
}

const ROLE = 'keeper'

const makePlace = async (t: Test, options = ''): Promise<Place> => {
  const cluster = await sharedCluster()
  const name = `advice_${randomUUID().replaceAll('-', '')}`
  const role = `${ROLE}_${name.slice(7, 15)}`
  await cluster.ask(`create role ${role} login`)
  await cluster.ask(`create database ${name} owner ${role} template template0 ${options}`)
  const folder = t.testdir({ data: { media: {} } })
  const url = cluster.url(name).replace('//almoner@', `//${role}@`)
  const variables = { ...placesIn(folder), ALMONER_DATABASE: url }
  return { cluster, name, role, variables, ask: (statement) => cluster.ask(statement, name) }
}

/** Something about a server that statements bring about, and others mend. */
const onServer = (
  spoil: (place: Place) => Promise<Variables | undefined>,
  mend: (place: Place, what: string) => Promise<Variables | undefined>,
  options?: string,
): Trial => ({
  bringAbout: async (t) => {
    const place = await makePlace(t, options)
    const variables = (await spoil(place)) ?? {}
    return {
      variables: { ...place.variables, ...variables },
      follow: async ({ what }) => ({ variables: { ...place.variables, ...(await mend(place, what)) } }),
    }
  },
})

const nothing = async (): Promise<undefined> => undefined

/** Tables like those of the database in another schema, as an earlier version made them for a host. */
const secondSet = (
  role: string,
) => `create schema almoner authorization ${role}; do $$ declare found record; begin
  for found in select tablename as name from pg_tables where schemaname = 'public' loop
    execute format('create table almoner.%I (like public.%I including all)', found.name, found.name);
    execute format('alter table almoner.%I owner to ${role}', found.name);
  end loop; end $$`

/** Advice about a database on a server, and about a bucket. */
export const OF_SERVER = {
  'database-unreachable': onServer(
    async () => ({ ALMONER_DATABASE: 'postgres://almoner@127.0.0.1:1/almoner' }),
    nothing,
  ),
  'database-login': onServer(
    async ({ variables, role }) => ({
      ALMONER_DATABASE: (variables['ALMONER_DATABASE'] ?? '').replace(role, `${role}_missing`),
    }),
    nothing,
  ),
  'database-absent': onServer(
    async ({ variables, name }) => ({
      ALMONER_DATABASE: (variables['ALMONER_DATABASE'] ?? '').replace(name, `${name}_later`),
    }),
    async ({ cluster, variables, name, role }) => {
      await cluster.ask(`create database ${name}_later owner ${role}`)
      return { ALMONER_DATABASE: (variables['ALMONER_DATABASE'] ?? '').replace(name, `${name}_later`) }
    },
  ),
  'database-connections': onServer(
    ({ cluster, role }) => cluster.ask(`alter role ${role} connection limit 0`).then(nothing),
    ({ cluster, role }) => cluster.ask(`alter role ${role} connection limit -1`).then(nothing),
  ),
  'database-crowded': onServer(
    async ({ cluster, role, variables }) => {
      await obey('migrate', variables)
      await cluster.ask(`alter role ${role} connection limit 16`)
      return undefined
    },
    async () => ({ ALMONER_DATABASE_POOL: '8,7' }),
  ),
  'database-denied': onServer(
    async ({ cluster, ask, role, variables }) => {
      await obey('migrate', variables)
      await cluster.ask(`create role ${role}_earlier`)
      await ask(
        `grant create on schema public to ${role}_earlier; reassign owned by ${role} to ${role}_earlier`,
      )
    },
    ({ ask, role }) => ask(`reassign owned by ${role}_earlier to ${role}`).then(nothing),
  ),
  'database-encoding': onServer(
    nothing,
    async ({ cluster, name, role, variables }) => {
      await cluster.ask(`create database ${name}_utf8 owner ${role} encoding 'UTF8' template template0`)
      return { ALMONER_DATABASE: (variables['ALMONER_DATABASE'] ?? '').replace(name, `${name}_utf8`) }
    },
    `encoding 'SQL_ASCII'`,
  ),
  'database-standby': onServer(
    ({ cluster, name }) =>
      cluster.ask(`alter database ${name} set default_transaction_read_only = on`).then(nothing),
    ({ cluster, name }) =>
      cluster.ask(`alter database ${name} reset default_transaction_read_only`).then(nothing),
  ),
  'database-no-schema': onServer(
    ({ cluster, role }) => cluster.ask(`alter role ${role} set search_path to shelf`).then(nothing),
    ({ ask, role }) => ask(`create schema shelf authorization ${role}`).then(nothing),
  ),
  'database-schemas': onServer(
    async ({ ask, role, variables }) => {
      await obey('client add --id app --scope user', variables)
      await ask(secondSet(role))
      return undefined
    },
    ({ ask }, what) => ask(/: run (.*)$/.exec(what)?.[1] ?? '').then(nothing),
  ),
  'database-pooler': {
    bringAbout: async (t) => {
      const place = await makePlace(t)
      const pooler = await startPooler(place.cluster, { mode: 'transaction' })
      t.teardown(pooler.close)
      const variables = {
        ...place.variables,
        ALMONER_DATABASE: pooler.url(place.name).replace('//almoner@', `//${place.role}@`),
      }
      return {
        variables,
        follow: async () => {
          pooler.restart({ mode: 'session' })
          return {}
        },
      }
    },
  },
  'media-bucket': {
    bringAbout: async (t) => {
      const store = await startS3Store()
      t.teardown(store.stop)
      const bucket = store.newBucket()
      const at = (endpoint: string) => `s3://${bucket}/prefix?endpoint=${endpoint}&region=eu-west-3`
      const places = placesIn(t.testdir({ data: {} }))
      return {
        variables: { ...places, ALMONER_MEDIA: at('http://127.0.0.1:1') },
        follow: async () => ({ variables: { ...places, ALMONER_MEDIA: at(store.endpoint) } }),
      }
    },
  },
} as const satisfies Readonly<Record<string, Trial>>
