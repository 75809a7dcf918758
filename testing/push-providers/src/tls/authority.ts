// The certificate library looks for this as it is loaded.
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

/** What a TLS server shows, and the key that goes with it, both PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate authority that clients must be configured to trust. */
export interface Authority {
  /** The authority itself, PEM: what a client is given to trust. */
  readonly ca: string
  /** A certificate that holds for `127.0.0.1`, `localhost` and `provider.invalid`, from a day ago to tomorrow. */
  leaf(): Promise<Certificate>
  /** The same, but it ran out yesterday. */
  expiredLeaf(): Promise<Certificate>
  /** A sound certificate for another host than the one it is shown by. */
  leafForAnotherHost(): Promise<Certificate>
}

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const DAY = 24 * 3_600_000

const makeKeys = () => webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])

const pemOf = async (key: webcrypto.CryptoKey): Promise<string> =>
  x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')

/** TLS goes by the machine's clock, also where a test has set another `Date`. */
const machineTime = (): number => performance.timeOrigin + performance.now()

/** Returns the validity period: this number of days before and after now. */
const valid = (from: number, until: number) => ({
  notBefore: new Date(machineTime() + from * DAY),
  notAfter: new Date(machineTime() + until * DAY),
})

const LOOPBACK: ReadonlyArray<x509.JsonGeneralName> = [
  { type: 'ip', value: '127.0.0.1' },
  { type: 'dns', value: 'localhost' },
  // A name that only a proxy knows.
  { type: 'dns', value: 'provider.invalid' },
]

/** A new authority, good for two days. The keys are P-256, so that making them takes next to no time. */
export const makeAuthority = async (): Promise<Authority> => {
  const keys = await makeKeys()
  const name = 'CN=Loopback Authority'
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm: EC,
    ...valid(-2, 2),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  })
  const issue = async (
    names: ReadonlyArray<x509.JsonGeneralName>,
    validity: ReturnType<typeof valid>,
  ): Promise<Certificate> => {
    const own = await makeKeys()
    const certificate = await x509.X509CertificateGenerator.create({
      subject: 'CN=Loopback Provider',
      issuer: name,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      signingAlgorithm: EC,
      ...validity,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension([...names]),
      ],
    })
    return { cert: certificate.toString('pem'), key: await pemOf(own.privateKey) }
  }
  return {
    ca: root.toString('pem'),
    leaf: () => issue(LOOPBACK, valid(-1, 1)),
    expiredLeaf: () => issue(LOOPBACK, valid(-2, -1)),
    leafForAnotherHost: () => issue([{ type: 'dns', value: 'elsewhere.invalid' }], valid(-1, 1)),
  }
}
