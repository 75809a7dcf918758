/** The used members of a service-account file from the Google Cloud console. */
export interface FcmCredentials {
  readonly project_id: string
  readonly client_email: string
  /** PEM. */
  readonly private_key: string
  /** Where access tokens are had; Google's own when left out. */
  readonly token_uri?: string
}
