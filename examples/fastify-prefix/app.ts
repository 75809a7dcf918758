import { almonerPlugin, LARGEST_HEAD, LONGEST_SEGMENT } from '@almoner/adapters-http'
import Fastify from 'fastify'
import { openCharity } from './charity.ts'

/** An application with its own route, and the charity under `/charity`. */
export const build = async (folder: string, baseUrl: string) => {
  const app = Fastify({
    logger: true,
    routerOptions: { maxParamLength: LONGEST_SEGMENT },
    http: { maxHeaderSize: LARGEST_HEAD },
  })
  app.get('/hello', async () => ({ hello: 'world' }))
  const almoner = await openCharity(folder, `${baseUrl}/charity`)
  app.addHook('onClose', almoner.close)
  await app.register(almonerPlugin, { almoner, prefix: '/charity', baseUrl })
  return { app, almoner }
}
