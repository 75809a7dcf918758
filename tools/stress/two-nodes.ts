// Two nodes on one PostgreSQL, and what callers of them show.
import { startProxy } from '../../testing/postgres-server/src/index.ts'
import { folder } from './campaign.ts'
import { postgresDatabase, startPostgres } from './database.ts'
import { addManager, authorize, startServer } from './server.ts'

const cluster = await startPostgres()
export const database = await postgresDatabase(cluster)
export const proxy = await startProxy(cluster)
const credentials = addManager(folder, database.settings)
const settings = { ALMONER_REVIEW: 'off', ALMONER_TRUST_PROXY: '127.0.0.1' }
/** The node on which things are changed, and the one that is asked: its connections to the database can be disturbed. */
export const changed = (await startServer(folder, { ...database.settings, ...settings })).url
export const asked = (await startServer(folder, { ...settings, ALMONER_DATABASE: proxy.url('almoner') })).url
export const manager = await authorize(changed, credentials)
credentials.set('scope', 'user')
export const user = await authorize(changed, credentials)
