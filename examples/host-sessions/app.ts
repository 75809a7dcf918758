import { join } from 'node:path'
import { almonerPlugin, type CallerOf, LARGEST_HEAD, LONGEST_SEGMENT } from '@almoner/adapters-http'
import { openAlmoner } from 'almoner'
import Fastify from 'fastify'
import { openDatabase, PREFIX } from './database.ts'

/** A service with its own sessions, in whose database Almoner has its tables. */
export const build = async (folder: string, baseUrl: string) => {
  const db = await openDatabase(join(folder, 'service.db'))
  const almoner = await openAlmoner({
    database: db,
    prefix: PREFIX,
    migrations: 'require',
    media: `file:${join(folder, 'media')}`,
    baseUrl: `${baseUrl}/charity`,
  })

  /** Reads the session each time: it may end between the head of a request and its write. */
  const callerOf: CallerOf = async ({ headers }) => {
    const secret = /(?:^|; )session=([^;]+)/.exec(headers.cookie ?? '')?.[1]
    if (secret === undefined) return undefined
    const user = await db
      .selectFrom('session')
      .innerJoin('client', 'client.id', 'session.client_id')
      .select(['client.id', 'client.email', 'client.staff'])
      .where('session.secret', '=', secret)
      .executeTakeFirst()
    if (user === undefined) return undefined
    return { id: user.id, email: user.email, scopes: [user.staff === 1 ? 'content-manager' : 'user-donor'] }
  }

  const app = Fastify({
    routerOptions: { maxParamLength: LONGEST_SEGMENT },
    http: { maxHeaderSize: LARGEST_HEAD },
  })
  await app.register(almonerPlugin, { almoner, prefix: '/charity', baseUrl, callerOf })
  app.addHook('onClose', async () => {
    await almoner.close()
    await db.destroy()
  })
  return { app, db }
}
