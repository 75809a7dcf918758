import type { SentClaims } from './provider.ts'

/** What a provider sends about a person with this address, and whether that verifies it (M11). */
export interface KnownProvider {
  readonly name: string
  /** The page of the provider's documentation that says so. */
  readonly page: string
  readonly claims: (email: string) => SentClaims
  /** Whether a first sign-in links the account, without and with `ALMONER_OIDC_TRUST_EMAIL`. */
  readonly links: { readonly plainly: boolean; readonly trusted: boolean }
}

const [ALWAYS, ON_TRUST, NEVER] = [
  { plainly: true, trusted: true },
  { plainly: false, trusted: true },
  { plainly: false, trusted: false },
]

const entra = (xms_edov: unknown) => (email: string) => ({
  idToken: { email, ...(xms_edov !== undefined && { xms_edov }) },
  userinfo: { name: 'Ada', email, picture: 'https://graph.microsoft.com/v1.0/me/photo/$value' },
})

const ENTRA_EDOV =
  'https://learn.microsoft.com/en-us/entra/identity-platform/migrate-off-email-claim-authorization'

/** The claims of well-known providers for the scopes `openid email` and the response type `code`. */
export const KNOWN_PROVIDERS: ReadonlyArray<KnownProvider> = [
  {
    name: 'Google',
    page: 'https://developers.google.com/identity/openid-connect/openid-connect#an-id-tokens-payload',
    claims: (email) => ({
      idToken: { email, email_verified: true, hd: 'example.org' },
      userinfo: { email, email_verified: true, picture: 'https://lh3.googleusercontent.com/a' },
    }),
    links: ALWAYS,
  },
  {
    name: 'Entra ID, which states nothing',
    page: 'https://learn.microsoft.com/en-us/entra/identity-platform/userinfo',
    claims: entra(undefined),
    links: ON_TRUST,
  },
  ...[true, 1, '1', 'true'].map((edov) => ({
    ...{ name: `Entra ID with xms_edov ${JSON.stringify(edov)}`, page: ENTRA_EDOV },
    ...{ claims: entra(edov), links: ON_TRUST },
  })),
  ...[false, 0, '0', 'false'].map((edov) => ({
    ...{ name: `Entra ID with xms_edov ${JSON.stringify(edov)}`, page: ENTRA_EDOV },
    ...{ claims: entra(edov), links: NEVER },
  })),
  {
    name: 'Keycloak',
    page: 'https://www.keycloak.org/nightly/admin-api/protocol-mappers',
    claims: (email) => ({
      idToken: { email, email_verified: true },
      userinfo: { email, email_verified: true, preferred_username: 'ada' },
    }),
    links: ALWAYS,
  },
  {
    name: 'Keycloak with the mapper "email verified" at the userinfo endpoint alone',
    page: 'https://www.keycloak.org/nightly/admin-api/protocol-mappers',
    claims: (email) => ({ idToken: { email }, userinfo: { email, email_verified: true } }),
    links: ALWAYS,
  },
  {
    name: 'Keycloak with an address that the person has not confirmed',
    page: 'https://www.keycloak.org/nightly/admin-api/protocol-mappers',
    claims: (email) => ({
      idToken: { email, email_verified: false },
      userinfo: { email, email_verified: false },
    }),
    links: NEVER,
  },
  {
    name: 'Authentik from 2025.10 on',
    page: 'https://docs.goauthentik.io/add-secure-apps/providers/oauth2/verify-email-address/',
    claims: (email) => ({
      idToken: { email, email_verified: false },
      userinfo: { email, email_verified: false },
    }),
    links: NEVER,
  },
  {
    name: 'Authentik with the mapping of its documentation',
    page: 'https://docs.goauthentik.io/add-secure-apps/providers/oauth2/verify-email-address/',
    claims: (email) => ({
      idToken: { email, email_verified: true },
      userinfo: { email, email_verified: true },
    }),
    links: ALWAYS,
  },
  {
    name: 'Zitadel, whose token has no claims of scopes with the response type code',
    page: 'https://zitadel.com/docs/apis/openidoauth/claims',
    claims: (email) => ({ idToken: {}, userinfo: { email, email_verified: true } }),
    links: ALWAYS,
  },
  {
    name: 'Okta, whose thin token has the address and not its state',
    page: 'https://support.okta.com/help/s/article/how-to-return-the-email-verified-claim',
    claims: (email) => ({ idToken: { email }, userinfo: { email, email_verified: true } }),
    links: ALWAYS,
  },
  {
    name: 'Auth0',
    page: 'https://auth0.com/docs/get-started/apis/scopes/openid-connect-scopes',
    claims: (email) => ({
      idToken: { email, email_verified: true },
      userinfo: { email, email_verified: true },
    }),
    links: ALWAYS,
  },
  {
    name: 'Auth0 before the person has confirmed the address',
    page: 'https://auth0.com/docs/get-started/apis/scopes/openid-connect-scopes',
    claims: (email) => ({
      idToken: { email, email_verified: false },
      userinfo: { email, email_verified: true },
    }),
    links: NEVER,
  },
  {
    name: 'Amazon Cognito, whose endpoint sends text',
    page: 'https://docs.aws.amazon.com/cognito/latest/developerguide/userinfo-endpoint.html',
    claims: (email) => ({ idToken: {}, userinfo: { email, email_verified: 'true' } }),
    links: ALWAYS,
  },
]
