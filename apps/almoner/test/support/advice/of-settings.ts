import { join } from 'node:path'
import { openProvider } from '@almoner/oidc-provider'
import { fcmError, permissionDenied } from '@almoner/push-providers'
import { done, sampleClient, sampleOrganization, samplePortfolio } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import root, { type Test } from 'tap'
import type { Variables } from '../almoner.ts'
import { onStore } from '../database.ts'
import { ownFolder } from '../own-folder.ts'
import { withProviders } from '../providers.ts'
import { currentFolder, placesIn, type Trial } from './trial.ts'

/** A setting that is wrong, and what the advice makes of it. */
const setTo = (wrong: Variables, right: Variables | ((fix: string) => Variables)): Trial => ({
  bringAbout: async (t) => {
    const places = placesIn(await currentFolder(t))
    return {
      variables: { ...places, ...wrong },
      follow: async ({ fix }) => ({
        variables: { ...places, ...(typeof right === 'function' ? right(fix) : right) },
      }),
    }
  },
})

let shared: ReturnType<typeof withProviders> | undefined

/** Providers on loopback, the same for all trials, which `spoil` makes refuse or forget something until the advice is followed. */
const onProviders = (
  spoil: (
    providers: Awaited<ReturnType<typeof withProviders>>,
    t: Test,
  ) => { readonly variables?: Variables; readonly mend?: () => void },
): Trial => ({
  bringAbout: async (t) => {
    const folder = await currentFolder(t)
    shared ??= withProviders(root, ownFolder())
    const providers = await shared
    const right = { ...placesIn(folder), ...providers.variables }
    const { variables = {}, mend = () => {} } = spoil(providers, t)
    return {
      variables: { ...right, ...variables },
      follow: async () => {
        mend()
        return { variables: right }
      },
    }
  },
})

const PREVIEWS = { ALMONER_PREVIEW_URL: 'https://app.example.org/{kind}/{id}#{token}' }

const NOWHERE = 'https://127.0.0.1:1'

/** Advice about settings, and about the providers that they name. */
export const OF_SETTINGS = {
  settings: setTo({ ALMONER_PORT: 'x' }, {}),
  'media-serving': setTo({ ALMONER_MEDIA_SERVE: 'signed' }, {}),
  'metrics-public': setTo({ ALMONER_BASE_URL: 'https://api.example.org' }, (fix) => {
    const [, name = '', value = ''] = /such as (\w+)=(\S+),/.exec(fix) ?? []
    return { ALMONER_BASE_URL: 'https://api.example.org', [name]: value }
  }),
  'links-proxy': setTo(
    { ALMONER_LINK_CHECK: 'proxy', HTTPS_PROXY: 'http://127.0.0.1:3128' },
    { ALMONER_LINK_CHECK: 'on' },
  ),
  'address-of-all': setTo({ ALMONER_HOST: '::' }, (fix) => {
    const [, name = '', value = ''] = /set (\w+) to .* such as (\S+)$/.exec(fix) ?? []
    return { ALMONER_HOST: '::', ALMONER_METRICS: 'off', [name]: value }
  }),
  'preview-origin': setTo(PREVIEWS, (fix) => {
    const [, value = '', name = ''] = /add (\S+) to (\w+)$/.exec(fix) ?? []
    return { ...PREVIEWS, [name]: value }
  }),
  'proxy-unused': {
    bringAbout: async (t) => ({
      variables: {
        ...placesIn(await currentFolder(t)),
        ALMONER_MEDIA: 's3://bucket/?endpoint=http://127.0.0.1:1',
        HTTPS_PROXY: 'http://proxy.example.org:3128',
      },
      machine: { node: '22.20.0' },
      follow: async ({ fix }) => ({ machine: { node: `${/\d+\.\d+/.exec(fix)?.[0]}.0` } }),
    }),
  },
  'sign-in-passkeys': setTo(
    { ALMONER_BASE_URL: 'http://10.1.2.3' },
    { ALMONER_BASE_URL: 'https://almoner.example.org' },
  ),
  'push-default': onProviders(() => ({
    variables: { ALMONER_PUSH: 'fcm,webpush', ALMONER_PUSH_DEFAULT: 'apns' },
  })),
  'push-credentials': setTo(
    { ALMONER_PUSH: 'fcm', ALMONER_FCM_CREDENTIALS: '/missing.json' },
    { ALMONER_PUSH: 'log' },
  ),
  'push-file-unwritable': setTo(
    { ALMONER_PUSH: 'file:/missing/pushes' },
    { ALMONER_PUSH: 'file:/tmp/pushes' },
  ),
  'push-log': onProviders(() => ({ variables: { ALMONER_PUSH: 'log' } })),
  'push-file': onProviders((_, t) => ({
    variables: { ALMONER_PUSH: `file:${join(t.testdirName, 'pushes')}` },
  })),
  'push-unused': onProviders(() => ({ variables: { ALMONER_PUSH: 'fcm,webpush' } })),
  'provider-refuses': onProviders(({ fcm }) => {
    fcm.otherwise(permissionDenied('p'))
    return { mend: () => fcm.otherwise(undefined) }
  }),
  'provider-waits': onProviders(({ fcm }) => {
    fcm.otherwise(fcmError('QUOTA_EXCEEDED'))
    return { mend: () => fcm.otherwise(undefined) }
  }),
  'provider-silent': onProviders(() => ({ variables: { ALMONER_APNS_URL: NOWHERE } })),
  'provider-certificate': onProviders(() => ({ variables: { ALMONER_PUSH_CA: '' } })),
  'sign-in-provider': {
    bringAbout: async (t) => {
      const redirectUri = 'https://almoner.example.org/console/sign-in'
      const { stop, issuer } = await openProvider({ redirectUri, accounts: new Map() })
      t.teardown(stop)
      const variables = {
        ...placesIn(await currentFolder(t)),
        ALMONER_BASE_URL: 'https://almoner.example.org',
        ALMONER_CONSOLE_SIGN_IN: 'oidc',
        ALMONER_OIDC_CLIENT_ID: 'almoner',
        ALMONER_OIDC_CLIENT_SECRET: 'secret-of-the-client',
      }
      return {
        variables: { ...variables, ALMONER_OIDC_ISSUER: NOWHERE },
        follow: async () => ({ variables: { ...variables, ALMONER_OIDC_ISSUER: issuer } }),
      }
    },
  },
  'people-donors': {
    bringAbout: async (t) => {
      const folder = await currentFolder(t)
      const client = { ...sampleClient('app'), forPeople: { isPublic: false, audience: O.none } }
      await onStore(folder, ({ clients }) => done(clients.add(client, 'hash')))
      const variables = {
        ...placesIn(folder),
        ALMONER_USER_ISSUER: 'https://id.example.org',
        ALMONER_USER_AUDIENCE: 'app',
      }
      return {
        variables,
        follow: async ({ fix }) => {
          const [, name = ''] = /^set (\w+) to/.exec(fix) ?? []
          return { variables: { ...variables, [name]: 'donor' } }
        },
      }
    },
  },
  'years-outside': {
    bringAbout: async (t) => {
      const folder = await currentFolder(t)
      const organizations = [sampleOrganization('o1', { since: 2012 })]
      const content = { ...samplePortfolio(), organizations, introductions: [], summaries: [], programs: [] }
      await onStore(folder, ({ portfolio }) =>
        done(portfolio.replace({ ...content, challenges: [], datasets: [] })),
      )
      return {
        variables: placesIn(folder),
        follow: async ({ fix }) => {
          const [, name = '', years = ''] = /^set (\w+)=(\S+)$/.exec(fix) ?? []
          return { variables: { ...placesIn(folder), [name]: years } }
        },
      }
    },
  },
} as const satisfies Readonly<Record<string, Trial>>
