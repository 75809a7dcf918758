import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { startEncryptedCluster } from '@almoner/postgres-server'
import { makeAuthority } from '@almoner/push-providers'
import t from 'tap'
import type { Variables } from '../src/url.ts'
import { engineOn } from './store-of.ts'

const PASSWORD = 'hush: a password @ %'

/** What opening a database ends with: `open`, or why not; nothing of it may show the password. */
const opening = async (url: string, variables?: Variables): Promise<string> => {
  try {
    await (await engineOn(url, variables)).close()
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
  t.match(await opening(address('sslmode=verify-full&sslrootcert=system')), /certificate/)
  t.equal(await opening(address(''), { PGSSLMODE: 'verify-full', PGSSLROOTCERT: ca }), 'open')
  t.match(await opening(address(''), { PGSSLMODE: 'verify-full' }), /certificate/)
  t.equal(await opening(address('sslmode=verify-full'), { PGSSLROOTCERT: ca }), 'open')
  const [version] = await cluster.ask("select current_setting('server_version_num')::int as number")
  const isDirect = Number(version?.['number']) >= 170_000
  const direct = await opening(address('sslmode=require&sslnegotiation=direct'))
  t.match(direct, isDirect ? 'open' : /./, 'PostgreSQL 17 has it first')
  await cluster.stop()
})

t.test('a certificate for another host is accepted with verify-ca only', async (t) => {
  const { cluster, address, ca } = await serverWith('leafForAnotherHost')
  t.equal(await opening(address(`sslmode=verify-ca&sslrootcert=${ca}`)), 'open')
  t.match(await opening(address(`sslmode=verify-full&sslrootcert=${ca}`)), /does not match certificate/)
  await cluster.stop()
})

t.test('channel_binding=require sends nothing to a server that does not bind the password', async (t) => {
  const { cluster, address } = await serverWith('leaf')
  const bound = (binding: string, password?: string) =>
    opening(address(`sslmode=require&channel_binding=${binding}`, password))
  for (const binding of ['disable', 'prefer', 'require']) t.equal(await bound(binding), 'open', binding)
  t.match(await bound('require', 'hush, but wrong'), /password authentication failed/)
  for (const method of ['trust', 'password']) {
    await writeFile(
      join(cluster.folder, 'pg_hba.conf'),
      `local all all trust\nhostssl all all 127.0.0.1/32 ${method}\n`,
    )
    await cluster.ask('select pg_reload_conf()')
    const ofRules = () =>
      cluster.ask("select auth_method as method from pg_hba_file_rules where type = 'hostssl'")
    while ((await ofRules())[0]?.['method'] !== method);
    t.match(await bound('require'), /does not bind the password/, method)
    t.equal(await bound('prefer'), 'open', method)
  }
  await cluster.stop()
})
