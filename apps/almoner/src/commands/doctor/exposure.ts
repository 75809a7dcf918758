import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { hasProxyAgents, mayBePublic } from '../../composition/node.ts'
import { hasPasskeyHost, identityProviderOf } from '../../composition/sign-in.ts'
import { linkCheckOf, SETTINGS, type Settings } from '../../config/definitions.ts'
import { isOfAllAddresses } from '../../config/network.ts'
import { messageOf } from '../../failure.ts'
import { type Check, type Examination, type Found, fault, ok, warning } from './finding.ts'

/** Checks whether anyone may read the metrics: on the main port they need no token. */
export const exposureCheck: Check = {
  name: 'metrics',
  asks: 'nothing outside',
  look: async ({ settings: { metrics, baseUrl } }) => {
    if (metrics.kind !== 'on' || O.isNone(baseUrl) || !mayBePublic(baseUrl.value))
      return [ok('no public address is known under which they can be read')]
    const what = `anyone may read /metrics below ${SETTINGS.baseUrl.name}, without a token, unless a proxy refuses it`
    const fix = `give the metrics a port of their own, such as ${SETTINGS.metrics.name}=127.0.0.1:9464, or have the proxy refuse /metrics`
    return [warning('metrics-public', what, fix)]
  },
}

/** Checks whether clients can open the URLs that the service gives out. */
export const addressCheck: Check = {
  name: 'address',
  asks: 'nothing outside',
  look: async ({ service }) => {
    const url = service.address.baseUrl()
    if (!isOfAllAddresses(url)) return [ok(`URLs in responses begin with ${url}`)]
    const what = `clients cannot open the URLs in responses, which begin with ${url}`
    const fix = `set ${SETTINGS.baseUrl.name} to the URL under which clients reach the service, such as https://api.example.org`
    return [warning('address-of-all', what, fix, { url })]
  },
}

/** Says that only the proxy keeps checks of links out of private networks, if they go through it (C17). */
export const linkProxyCheck: Check = {
  name: 'link checks',
  asks: 'nothing outside',
  look: async ({ settings }) => {
    if (linkCheckOf(settings) !== 'proxy') return [ok('links are not checked through a proxy')]
    const what = 'links are checked through HTTPS_PROXY, which finds the addresses of their names itself'
    const fix =
      'see that the proxy refuses names that lead into private networks, as the service does without it'
    return [warning('links-proxy', what, fix)]
  },
}

/** Says which requests go through the proxy of HTTPS_PROXY. */
export const proxyCheck: Check = {
  name: 'proxy',
  asks: 'nothing outside',
  look: async ({ settings: { media, proxy }, machine: { node } }) => {
    if (proxy === undefined) return [ok('HTTPS_PROXY is not set: all outgoing requests are direct')]
    if (media.kind === 's3' && !hasProxyAgents(node))
      return [
        warning(
          'proxy-unused',
          `with Node ${node}, requests to the bucket of images do not go through HTTPS_PROXY`,
          'use Node 24.5 or later, or a later 22 from 22.21 on',
        ),
      ]
    return [
      ok(
        `requests to push providers, the OpenID provider and an https bucket go through ${new URL(proxy.url).host}, except to hosts of NO_PROXY; traces do not`,
      ),
    ]
  },
}

/** Checks whether browsers make passkeys for the address of the service. */
const passkeyFinding = ({ baseUrl }: Settings): Found => {
  const { name } = SETTINGS.baseUrl
  if (O.isNone(baseUrl)) return ok(`managers sign in by links; passkeys need ${name} with a host name`)
  if (hasPasskeyHost(baseUrl.value)) return ok('managers can sign in by passkeys')
  const what = `browsers make no passkeys for ${name}: it has no host name, or is neither https nor localhost`
  const fix = `set ${name} to an https URL with a host name; until then managers sign in by links`
  return warning('sign-in-passkeys', what, fix)
}

/** Asks the OpenID provider for its configuration, which every sign-in there begins with. */
const providerFindings = async ({ settings, service }: Examination): Promise<ReadonlyArray<Found>> => {
  const provider = identityProviderOf(settings, service.address)
  if (provider === undefined) return []
  const started = await provider.start('', false)()
  if (E.isRight(started)) {
    const redirectUri = new URL(started.right).searchParams.get('redirect_uri')
    return [ok(`the OpenID provider answers; it must know the redirect URI ${redirectUri}`)]
  }
  const { name } = SETTINGS.oidcIssuer
  const what = `the OpenID provider does not give its configuration: ${messageOf(started.left.cause)}`
  const fix = `check ${name} and the network; until then managers sign in by links`
  return [fault('sign-in-provider', what, fix)]
}

/** Checks whether browsers let pages of the app read previews (A11). */
export const previewCheck: Check = {
  name: 'previews',
  asks: 'nothing outside',
  look: async ({ settings: { previewUrl, corsOrigins }, service }) => {
    const { origin = 'null' } = URL.parse(O.getOrElse(() => '')(previewUrl)) ?? {}
    const mayRead = ['null', new URL(service.address.baseUrl()).origin, ...corsOrigins]
    if (mayRead.includes(origin)) return [ok('no page of an app is kept from previews')]
    const fix = `add ${origin} to ${SETTINGS.corsOrigins.name}`
    return [warning('preview-origin', `browsers keep pages of ${origin} from reading previews`, fix)]
  },
}

/** Checks the ways to sign in to the console (M3). */
export const signInCheck: Check = {
  name: 'sign-in',
  asks: 'the OpenID provider',
  look: async (examination) => {
    const { settings } = examination
    const { console: hasConsole, consoleSignIn } = settings
    if (!hasConsole) return [ok('there is no console to sign in to')]
    const passkeys = consoleSignIn.includes('passkey')
      ? [passkeyFinding(settings)]
      : [ok('managers of the console sign in without passkeys')]
    return [...passkeys, ...(await providerFindings(examination))]
  },
}
