import type { CustomFetch } from 'openid-client'
import { EnvHttpProxyAgent, fetch } from 'undici'

/** A proxy of https requests. */
export interface HttpsProxy {
  /** Its URL, with user and password if it wants them. */
  readonly url: string
  /** The hosts that are reached directly, as NO_PROXY lists them. */
  readonly except: string
}

/** Makes a fetch whose https requests go through a proxy. */
export const fetchThrough = ({ url, except }: HttpsProxy): CustomFetch => {
  const dispatcher = new EnvHttpProxyAgent({ httpProxy: '', httpsProxy: url, noProxy: except })
  return async (address, options) => {
    const response = await fetch(address, { ...options, dispatcher } as Parameters<typeof fetch>[1])
    return response as unknown as Response
  }
}
