import { generateKeyPairSync, randomBytes } from 'node:crypto'

/**
 * A service-account file as the Google Cloud console gives it out
 * (https://developers.google.com/identity/protocols/oauth2/service-account: `client_email`, `private_key`, `token_uri`).
 */
export interface ServiceAccount {
  readonly type: 'service_account'
  readonly project_id: string
  readonly private_key_id: string
  readonly private_key: string
  readonly client_email: string
  readonly client_id: string
  readonly token_uri: string
}

/** Creates a service account with a new RSA key of 2048 bits, whose tokens come from `tokenUri`. */
export const makeServiceAccount = (projectId: string, tokenUri: string): ServiceAccount => ({
  type: 'service_account',
  project_id: projectId,
  private_key_id: randomBytes(20).toString('hex'),
  private_key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string,
  client_email: `push@${projectId}.iam.gserviceaccount.com`,
  client_id: '100000000000000000001',
  token_uri: tokenUri,
})
