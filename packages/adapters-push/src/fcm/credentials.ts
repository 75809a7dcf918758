/** What is used of a service-account file as the Google Cloud console gives it out. */
export interface FcmCredentials {
  readonly project_id: string
  readonly client_email: string
  /** PEM. */
  readonly private_key: string
  /** Where access tokens are had; Google's own when left out. */
  readonly token_uri?: string
}
