import type { Provider } from '@almoner/domain/people'

const FCM_KEY =
  'make a new key for the service account, name its file in ALMONER_FCM_CREDENTIALS, and see that the clock of this machine is right'
const FCM_TOKENS = 'see that token_uri in the file of ALMONER_FCM_CREDENTIALS is as Google gave it out'
const FCM_RIGHTS =
  "switch the project's Firebase Cloud Messaging API on, and give the service account the role Firebase Cloud Messaging API Admin"
const FCM_PLACE =
  'see that ALMONER_FCM_URL leads to FCM, and that the project of the service account still exists'
const FCM_PROJECT = 'take a service account of the Firebase project that the app registers with'
const APNS_KEY =
  'see that ALMONER_APNS_KEY, ALMONER_APNS_KEY_ID and ALMONER_APNS_TEAM_ID belong together and the key has not been revoked'
const APNS_TOPIC =
  'see that ALMONER_APNS_TOPIC is the bundle id of an app of the team, for which the key may push'
const APNS_ENVIRONMENT = 'take a key that is made for production, or for both environments'
const APNS_PLACE = 'see that ALMONER_APNS_URL leads to APNs, and that nothing on the way changes requests'
const VAPID =
  'see that the VAPID keys are those that browsers subscribe with, that ALMONER_VAPID_SUBJECT is an address of yours, and that the clock of this machine is right'
const CERTIFICATE =
  'see that the address is right; where a proxy answers, name its authority in ALMONER_PUSH_CA'

/** Advice by the reasons with which each gateway reports rejected credentials. */
const BY_REASON: Readonly<Record<Provider, Readonly<Record<string, string>>>> = {
  fcm: {
    CERTIFICATE,
    private_key: FCM_KEY,
    invalid_grant: FCM_KEY,
    invalid_client: FCM_KEY,
    unauthorized_client: FCM_KEY,
    UNAUTHENTICATED: FCM_KEY,
    'HTTP 401': FCM_KEY,
    invalid_request: FCM_TOKENS,
    unsupported_grant_type: FCM_TOKENS,
    invalid_scope: FCM_TOKENS,
    access_denied: FCM_RIGHTS,
    PERMISSION_DENIED: FCM_RIGHTS,
    'HTTP 403': FCM_RIGHTS,
    NOT_FOUND: FCM_PLACE,
    UNIMPLEMENTED: FCM_PLACE,
    'HTTP 404': FCM_PLACE,
    SENDER_ID_MISMATCH: FCM_PROJECT,
    THIRD_PARTY_AUTH_ERROR: "give the Firebase project a valid APNs key, or the web app's own VAPID key",
  },
  apns: {
    CERTIFICATE,
    BadTopic: APNS_TOPIC,
    MissingTopic: APNS_TOPIC,
    TopicDisallowed: APNS_TOPIC,
    InvalidProviderToken: APNS_KEY,
    UnrelatedKeyIdInToken: APNS_KEY,
    Forbidden: APNS_KEY,
    'HTTP 403': APNS_KEY,
    ExpiredProviderToken: 'set the clock of this machine right',
    BadEnvironmentKeyInToken: APNS_ENVIRONMENT,
    BadEnvironmentKeyIdInToken: APNS_ENVIRONMENT,
    BadPath: APNS_PLACE,
    MethodNotAllowed: APNS_PLACE,
    MissingProviderToken: APNS_PLACE,
    'HTTP 404': APNS_PLACE,
    'HTTP 405': APNS_PLACE,
  },
  webpush: {},
}

const OTHERWISE: Readonly<Record<Provider, string>> = {
  fcm: `${FCM_RIGHTS}; ${FCM_PLACE}`,
  apns: `${APNS_KEY}; ${APNS_TOPIC}`,
  webpush: VAPID,
}

/** What an operator may do about a provider that refuses us, by the word that the gateway has for it. */
export const adviceFor = (provider: Provider, reason: string): string => {
  const known = BY_REASON[provider]
  return (Object.hasOwn(known, reason) ? known[reason] : undefined) ?? OTHERWISE[provider]
}

const PLACES: Readonly<Record<Provider, string>> = {
  fcm: 'ALMONER_FCM_URL, and token_uri in the file of ALMONER_FCM_CREDENTIALS,',
  apns: 'ALMONER_APNS_URL',
  webpush: 'the push service',
}

/** What an operator may do about a provider that does not answer. */
export const adviceOnSilence = (provider: Provider): string =>
  `see that ${PLACES[provider]} can be reached from this machine, and ask again`
