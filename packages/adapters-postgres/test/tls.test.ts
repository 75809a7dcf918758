import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { startEncryptedCluster } from '@almoner/postgres-server'
import { makeAuthority } from '@almoner/push-providers'
import t from 'tap'
import { engineOn } from './store-of.ts'

const PASSWORD = 'hush: a password @ %'

/** What opening a database ends with: `open`, or why not; nothing of it may show the password. */
const opening = async (url: string): Promise<string> => {
  try {
    await (await engineOn(url)).close()
    return 'open'
  } catch (fault) {
    const told = inspect(fault, { depth: 9 })
    t.notMatch(told, /hush/)
    return told
  }
}

const serverWith = async (leaf: 'leaf' | 'leafForAnotherHost') => {
  const [authority, stranger] = [await makeAuthority(), await makeAuthority()]
  const cluster = await startEncryptedCluster(await authority[leaf](), PASSWORD)
  const folder = t.testdir({ [leaf]: {} })
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, leaf, name), text)
    return join(folder, leaf, name)
  }
  const address = (query: string, password = PASSWORD) =>
    `postgres://almoner:${encodeURIComponent(password)}@127.0.0.1:${cluster.port}/postgres?${query}`
  return { cluster, address, ca: file('ca.pem', authority.ca), other: file('other.pem', stranger.ca) }
}

t.test('connections are encrypted and the server is verified as the URL says', async (t) => {
  const { cluster, address, ca, other } = await serverWith('leaf')
  for (const query of [
    'require',
    `require&sslrootcert=${ca}`,
    `verify-ca&sslrootcert=${ca}`,
    `verify-full&sslrootcert=${ca}`,
  ])
    t.equal(await opening(address(`sslmode=${query}`)), 'open', query)
  t.match(await opening(address('sslmode=verify-full')), /certificate/)
  for (const mode of ['require', 'verify-ca', 'verify-full'])
    t.match(await opening(address(`sslmode=${mode}&sslrootcert=${other}`)), /certificate|signature/, mode)
  t.match(await opening(address('sslmode=disable')), /no encryption/)
  t.match(await opening(address('sslmode=require', 'hush, but wrong')), /password authentication failed/)
  t.match(await opening(address('sslmode=require&sslrootcert=/not/there.pem')), /ENOENT/)
  await cluster.stop()
})

t.test('a certificate for another host is accepted with verify-ca only', async (t) => {
  const { cluster, address, ca } = await serverWith('leafForAnotherHost')
  t.equal(await opening(address(`sslmode=verify-ca&sslrootcert=${ca}`)), 'open')
  t.match(await opening(address(`sslmode=verify-full&sslrootcert=${ca}`)), /does not match certificate/)
  await cluster.stop()
})
