import { once } from 'node:events'
import { chown, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type Cluster, clusterOn, makeServer } from './cluster.ts'
import { placeInMemory } from './memory.ts'

/** A certificate and its key, as PEM. */
export interface Identity {
  readonly cert: string
  readonly key: string
}

/** A server that also listens on 127.0.0.1, where it wants TLS and the superuser's password. */
export interface EncryptedCluster extends Cluster {
  readonly port: number
}

const RULES = `local all all trust
hostssl all all 127.0.0.1/32 scram-sha-256
`

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts a server with a certificate and a password. */
export const startEncryptedCluster = async (
  { cert, key }: Identity,
  password: string,
): Promise<EncryptedCluster> => {
  const { folder, owner } = await makeServer(await placeInMemory())
  for (const [name, text] of [
    ['server.crt', cert],
    ['server.key', key],
    ['pg_hba.conf', RULES],
  ] as const) {
    await writeFile(join(folder, name), text, { mode: 0o600 })
    if (owner.uid !== undefined && owner.gid !== undefined)
      await chown(join(folder, name), owner.uid, owner.gid)
  }
  const port = await freePort()
  const cluster = await clusterOn(folder, owner, ['listen_addresses=127.0.0.1', 'ssl=on'], port)
  await cluster.ask(`alter role almoner password '${password}'`)
  return { ...cluster, port }
}
