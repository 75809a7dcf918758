import type { DeviceCodec } from '@almoner/domain/people'

// The name of the provider, and what it needs to reach a device, join the types of the domain.
declare module '@almoner/domain/people' {
  interface Destinations {
    readonly expo: { readonly token: string }
  }
}

const FORM = /^Expo(?:nent)?PushToken\[[\w-]{10,}\]$/

/** Recognises the tokens that an app built with Expo gets from `getExpoPushTokenAsync`. */
export const expoDevices: DeviceCodec<'expo'> = {
  provider: 'expo',
  recognise: (token) => (FORM.test(token) ? { provider: 'expo', token } : undefined),
}
