/** Cookies of one visitor, by name. */
type Cookies = Map<string, string>

const visit = async (url: string, cookies: Cookies, form?: URLSearchParams): Promise<Response> => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { cookie },
    ...(form && { method: 'POST', body: form }),
  })
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
  return response
}

/**
 * Signs a person in at the provider as a browser would, from the URL of its page to the redirect back.
 * @param account the subject that the person types; undefined cancels
 * @returns the query of the redirect
 */
export const signInAt = async (url: string, account: string | undefined): Promise<string> => {
  const cookies: Cookies = new Map()
  const { origin } = new URL(url)
  let response = await visit(url, cookies)
  for (let steps = 0; steps < 6; steps += 1) {
    const next = response.headers.get('location')
    if (next === null) throw new Error(`the provider answers with ${response.status}`)
    const target = new URL(next, origin)
    if (target.origin !== origin) return target.search.slice(1)
    const isLogin = target.pathname.startsWith('/login/')
    response = await visit(
      target.href,
      cookies,
      isLogin ? new URLSearchParams(account === undefined ? {} : { account }) : undefined,
    )
  }
  throw new Error('the provider redirects without an end')
}
