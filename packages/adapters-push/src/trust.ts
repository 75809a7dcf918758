import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

/** Which authorities a connection trusts: the machine's, and one more where a deployment names it. */
export const trusting = (ca: string | undefined): { readonly ca?: Array<string> } =>
  ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }

/** Creates it once for all connections, because parsing all authorities takes longer than connecting. */
export const trustContext = (ca: string | undefined): { readonly secureContext?: SecureContext } =>
  ca === undefined ? {} : { secureContext: createSecureContext(trusting(ca)) }

/** What TLS calls a certificate that it does not take (https://nodejs.org/api/tls.html#x509-certificate-error-codes). */
const CERTIFICATE =
  /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Whether a connection failed because of the certificate that the other side showed. */
export const isCertificateFault = (error: unknown): boolean =>
  CERTIFICATE.test(codeOf(error)) || (error instanceof Error && CERTIFICATE.test(codeOf(error.cause)))
