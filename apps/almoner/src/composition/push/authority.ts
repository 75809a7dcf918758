import { X509Certificate } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Settings } from '../../config/definitions.ts'
import { type Checked, fault } from './checked.ts'
import { fileOf, nameOf } from './required.ts'

const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

const isCertificate = (pem: string): boolean => {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** The certificates that the settings have trusted beside the usual ones, PEM; undefined when they name none. */
export const readAuthority = async ({ pushCa }: Settings): Promise<Checked<string | undefined>> => {
  if (O.isNone(pushCa)) return E.right(undefined)
  const text = await fileOf(pushCa.value, 'pushCa')
  if (E.isLeft(text)) return text
  const found = text.right.match(CERTIFICATES) ?? []
  return found.length > 0 && found.every(isCertificate)
    ? text
    : fault(
        `${nameOf('pushCa')} must be a file of certificates, PEM: ${found.length === 0 ? 'it holds none' : 'one in it cannot be read'}`,
      )
}
