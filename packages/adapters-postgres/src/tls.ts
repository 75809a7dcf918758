import { readFile, stat } from 'node:fs/promises'
import { type ConnectionOptions, checkServerIdentity, getCACertificates } from 'node:tls'
import type { Encryption } from './encryption.ts'

/** Bytes of a file with certificates: a list of all usual authorities has a quarter of it (H4). */
const LARGEST = 1024 * 1024

/** The authorities of `sslrootcert=system`: those of the operating system and of Node. */
const ofSystem = () => [...getCACertificates('system'), ...getCACertificates('bundled')]

const pem = async (path: string | undefined): Promise<string | undefined> => {
  if (path === undefined) return undefined
  const { size } = await stat(path)
  if (size > LARGEST) throw new Error(`${path} has more than 1 MiB: name a file of certificates in PEM`)
  return readFile(path, 'utf8')
}

/** TLS options as in libpq. Reads the files for each connection, so that renewed certificates are used. Throws if a file cannot be read. */
export const tlsOf = async ({
  verify,
  rootCertificate,
  certificate,
  key,
}: Encryption): Promise<ConnectionOptions> => {
  const authorities = rootCertificate === 'system' ? ofSystem() : pem(rootCertificate)
  const [ca, cert, privateKey] = await Promise.all([authorities, pem(certificate), pem(key)])
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(privateKey === undefined ? {} : { key: privateKey }),
    rejectUnauthorized: verify !== 'nothing',
    checkServerIdentity: verify === 'name' ? checkServerIdentity : () => undefined,
  }
}
