import { makeAddClient } from '@almoner/domain/access'
import { isRight } from 'fp-ts/lib/Either.js'
import { build } from './app.ts'
import { OFFICE } from './charity.ts'

const { app, almoner } = await build('./data', 'http://127.0.0.1:4000')
// The secret is printed once. On the next start the client exists already.
const added = await makeAddClient(almoner.ports)(OFFICE)()
if (isRight(added)) console.log('client', OFFICE.id, 'secret', added.right.secret)
process.once('SIGTERM', () => app.close())
process.once('SIGINT', () => app.close())
await app.listen({ host: '127.0.0.1', port: 4000 })
