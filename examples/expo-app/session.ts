import Constants from 'expo-constants'

/** The address of the service: `extra.almonerUrl` in app.json. */
export const SERVICE: string = Constants.expoConfig?.extra?.['almonerUrl'] ?? 'http://10.0.2.2:3000'

/** The address of the app's own backend, which knows who is signed in and has the client's secret. */
const BACKEND: string = Constants.expoConfig?.extra?.['backendUrl'] ?? 'http://10.0.2.2:4000'

/** Returns an access token for the person who is signed in. */
export const tokenOfPerson = async (
  signal?: AbortSignal,
): Promise<{ access_token: string; expires_in: number }> => {
  const response = await fetch(`${BACKEND}/almoner-token`, { method: 'POST', signal: signal ?? null })
  if (!response.ok) throw new Error(`The backend gave no token: ${response.status}`)
  return response.json()
}
