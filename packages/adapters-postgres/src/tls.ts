import { readFile } from 'node:fs/promises'
import { type ConnectionOptions, checkServerIdentity } from 'node:tls'
import type { Encryption } from './url.ts'

const pem = (path: string | undefined): Promise<string> | undefined =>
  path === undefined ? undefined : readFile(path, 'utf8')

/** TLS options as in libpq. Reads the files for each connection, so that renewed certificates are used. Throws if a file cannot be read. */
export const tlsOf = async ({
  verify,
  rootCertificate,
  certificate,
  key,
}: Encryption): Promise<ConnectionOptions> => {
  const [ca, cert, privateKey] = await Promise.all([pem(rootCertificate), pem(certificate), pem(key)])
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(privateKey === undefined ? {} : { key: privateKey }),
    rejectUnauthorized: verify !== 'nothing',
    checkServerIdentity: verify === 'name' ? checkServerIdentity : () => undefined,
  }
}
