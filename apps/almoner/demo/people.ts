/** Somebody who may get notifications, with the tokens of their devices. */
export type DemoPerson = {
  readonly email: string
  readonly lang: 'en' | 'fr'
  readonly subscribed: boolean
  readonly devices: readonly string[]
}

/** A token in the form of Apple's service: 64 hex digits, of which the first say "demo". */
const apple = (n: number): string => `64656d6f${n.toString(16).padStart(56, '0')}`

/** A subscription as a browser gives it. Its keys only look like keys. */
const browser = (name: string): string =>
  JSON.stringify({
    endpoint: `https://updates.push.services.mozilla.com/wpush/v2/demo-${name}`,
    keys: { p256dh: `demo-public-key-of-${name}`, auth: `demo-secret-of-${name}` },
  })

/** All invented, as their tokens are: no push to them would reach anybody. */
export const demoPeople: readonly DemoPerson[] = [
  {
    // The donor for whom the client `demo-donor` acts.
    email: 'amina@example.org',
    lang: 'en',
    subscribed: true,
    devices: ['fcm:demo-amina-telephone', apple(1), browser('amina')],
  },
  { email: 'ben@example.org', lang: 'en', subscribed: true, devices: ['fcm:demo-ben-telephone', apple(6)] },
  { email: 'chloe@example.org', lang: 'en', subscribed: true, devices: [apple(2), browser('chloe')] },
  { email: 'david@example.org', lang: 'en', subscribed: true, devices: ['fid:demo-david-telephone'] },
  { email: 'emma@example.org', lang: 'en', subscribed: true, devices: [`apns-sandbox:${apple(3)}`] },
  { email: 'farid@example.org', lang: 'en', subscribed: true, devices: [browser('farid')] },
  { email: 'grace@example.org', lang: 'en', subscribed: false, devices: ['fcm:demo-grace-telephone'] },
  { email: 'hugo@example.org', lang: 'fr', subscribed: true, devices: ['fcm:demo-hugo-telephone', apple(4)] },
  { email: 'ines@example.org', lang: 'fr', subscribed: true, devices: [browser('ines')] },
  // A device of no known kind: it is kept, and counts as failed.
  { email: 'jeanne@example.org', lang: 'fr', subscribed: true, devices: ['demo jeanne telephone'] },
  {
    email: 'karim@example.org',
    lang: 'fr',
    subscribed: true,
    devices: ['fid:demo-karim-telephone', `apns:${apple(5)}`],
  },
  { email: 'lucie@example.org', lang: 'fr', subscribed: true, devices: ['fcm:demo-lucie-telephone'] },
]
