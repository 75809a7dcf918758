import t, { type Test } from 'tap'
import { startFixture } from '../support/fixture.ts'
import { exchange, readAnswer, send } from '../support/raw.ts'

const PATH = '/oauth2/get-token'
const GRANT = { grant_type: 'client_credentials' }

interface OAuthError {
  readonly error: string
  readonly error_description?: string
}

/** Characters that RFC 6749 §5.2 allows in `error` and `error_description`. */
const ALLOWED = /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/

t.test('A4, I1: errors of the token endpoint follow RFC 6749 §5.2 exactly', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const secret = fixture.secrets.user ?? ''
  const user = { client_id: 'user', client_secret: secret }
  const basic = { authorization: `Basic ${Buffer.from(`user:${secret}`).toString('base64')}` }

  const isError = async (t: Test, response: Response, status: number, error: string, about = '') => {
    const body = (await response.json()) as OAuthError
    t.same([response.status, body.error], [status, error], about)
    t.same(Object.keys(body), ['error', 'error_description'], `${about}: only the members of §5.2`)
    t.match(body.error_description, ALLOWED, `${about}: only its characters`)
    t.match(response.headers.get('content-type'), /^application\/json(;|$)/, `${about}: JSON`)
    t.equal(response.headers.get('cache-control'), 'no-store', `${about}: no-store`)
    t.equal(response.headers.get('pragma'), 'no-cache', `${about}: no-cache`)
    t.equal(response.headers.get('api-version'), '1', `${about}: API-Version (I2)`)
    t.equal(
      response.headers.get('www-authenticate') !== null,
      status === 401,
      `${about}: WWW-Authenticate on 401 only`,
    )
    return body
  }

  t.test('invalid_request: grant_type is missing or empty', async (t) => {
    for (const form of [user, { ...user, grant_type: '' }])
      await isError(t, await fixture.call('POST', PATH, { form }), 400, 'invalid_request')
    await isError(
      t,
      await fixture.call('POST', PATH, { json: { ...user, grant_type: null } }),
      400,
      'invalid_request',
    )
  })

  t.test('unsupported_grant_type: any other grant', async (t) => {
    for (const grant_type of ['password', 'authorization_code', 'refresh_token', 'Client_Credentials', ' '])
      await isError(
        t,
        await fixture.call('POST', PATH, { form: { ...user, grant_type } }),
        400,
        'unsupported_grant_type',
        grant_type,
      )
  })

  t.test('invalid_scope: 400', async (t) => {
    const form = { ...user, ...GRANT, scope: 'content-manager' }
    await isError(t, await fixture.call('POST', PATH, { form }), 400, 'invalid_scope')
  })

  t.test(
    'invalid_client: wrong secret, unknown client or no credentials: 401 with WWW-Authenticate: Basic',
    async (t) => {
      for (const credentials of [
        { client_id: 'user', client_secret: 'wrong' },
        { client_id: 'nobody', client_secret: secret },
        { client_id: 'no client id at all!', client_secret: secret },
        { client_id: 'user' },
        { client_secret: secret },
        {},
      ]) {
        const response = await fixture.call('POST', PATH, { form: { ...GRANT, ...credentials } })
        t.match(response.headers.get('www-authenticate'), /^Basic realm="/)
        await isError(t, response, 401, 'invalid_client', JSON.stringify(Object.keys(credentials)))
      }
    },
  )

  t.test('invalid_client: Basic credentials that are unreadable or wrong', async (t) => {
    for (const text of ['', 'no-colon', 'user:wrong', 'user:%', ':', 'user:']) {
      const headers = { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
      await isError(
        t,
        await fixture.call('POST', PATH, { headers, form: GRANT }),
        401,
        'invalid_client',
        text,
      )
    }
  })

  t.test('an unknown client and a wrong secret get the same response', async (t) => {
    const bodies = await Promise.all(
      [
        { client_id: 'donor', client_secret: 'wrong' },
        { client_id: 'nobody-else', client_secret: 'wrong' },
      ].map(async (credentials) =>
        (await fixture.call('POST', PATH, { form: { ...GRANT, ...credentials } })).text(),
      ),
    )
    t.equal(bodies[0], bodies[1])
  })

  t.test('RFC 6749 §2.3: credentials in both ways are invalid_request', async (t) => {
    const both = await fixture.call('POST', PATH, { headers: basic, form: { ...GRANT, ...user } })
    await isError(t, both, 400, 'invalid_request', 'both secrets')
    const other = await fixture.call('POST', PATH, { headers: basic, form: { ...GRANT, client_id: 'donor' } })
    await isError(t, other, 400, 'invalid_request', 'another client_id')
  })

  t.test('RFC 6749 §5.2: a repeated parameter is invalid_request, even with the same value', async (t) => {
    const form = Object.entries({ ...GRANT, ...user, scope: 'user' })
    for (const twice of form) {
      const response = await fixture.call('POST', PATH, { form: [...form, twice] as Array<[string, string]> })
      await isError(t, response, 400, 'invalid_request', twice[0])
      const json = `{${[...form, twice].map(([name, value]) => `"${name}":"${value}"`).join(',')}}`
      const inJson = await fixture.call('POST', PATH, {
        headers: { 'content-type': 'application/json' },
        body: json,
      })
      await isError(t, inJson, 400, 'invalid_request', `${twice[0]} in JSON`)
    }
  })

  t.test('invalid_request: values that are not text', async (t) => {
    for (const bad of [5, true, ['user'], { id: 'user' }])
      await isError(
        t,
        await fixture.call('POST', PATH, { json: { ...GRANT, ...user, client_id: bad } }),
        400,
        'invalid_request',
      )
  })

  t.test('A4: other content types, including multipart and text, are 400 invalid_request', async (t) => {
    const multipart = new FormData()
    for (const [name, value] of Object.entries({ ...GRANT, ...user })) multipart.set(name, value)
    await isError(t, await fixture.call('POST', PATH, { multipart }), 400, 'invalid_request', 'multipart')
    const body = new URLSearchParams({ ...GRANT, ...user }).toString()
    for (const type of ['text/plain', 'application/xml', 'application/jsonx', 'x', '']) {
      const headers = { 'content-type': type }
      await isError(t, await fixture.call('POST', PATH, { headers, body }), 400, 'invalid_request', type)
    }
    await isError(t, await fixture.call('POST', PATH), 400, 'invalid_request', 'no body')
    const empty = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    await isError(t, await fixture.call('POST', PATH, empty), 400, 'invalid_request', 'empty form')
  })

  t.test('invalid_request: unreadable bodies', async (t) => {
    const headers = { 'content-type': 'application/json' }
    for (const body of ['{', '[]', '"x"', 'null', '', '{"a":1}{', new Uint8Array([0x7b, 0xff, 0x7d])])
      await isError(
        t,
        await fixture.call('POST', PATH, { headers, body }),
        400,
        'invalid_request',
        String(body),
      )
    const large = { headers, body: `{"a":"${'x'.repeat(131_072)}"}` }
    await isError(t, await fixture.call('POST', PATH, large), 400, 'invalid_request', 'too large')
  })

  t.test('A4: the query is ignored, so that no secret has to be in a URL', async (t) => {
    const response = await fixture.call('POST', PATH, { query: { ...GRANT, ...user }, form: {} })
    await isError(t, response, 400, 'invalid_request')
    const half = await fixture.call('POST', PATH, {
      query: { client_secret: secret },
      form: { ...GRANT, client_id: 'user' },
    })
    await isError(t, half, 401, 'invalid_client')
  })

  t.test(
    'B3: GET on the token and revocation endpoints is 405 with Allow; OPTIONS lists the methods',
    async (t) => {
      for (const path of [PATH, '/oauth2/revoke']) {
        const response = await fixture.call('GET', path, { query: { ...GRANT, ...user } })
        t.same([response.status, response.headers.get('allow')], [405, 'POST, OPTIONS'], path)
        const options = await fixture.call('OPTIONS', path)
        t.same([options.status, options.headers.get('allow')], [204, 'POST, OPTIONS'], path)
      }
    },
  )

  t.test('A4: other authorization schemes than Basic are not credentials', async (t) => {
    for (const authorization of ['Bearer abc', 'Digest x', 'Basically dXNlcjp4']) {
      const own = await fixture.call('POST', PATH, {
        headers: { authorization },
        form: { ...GRANT, ...user },
      })
      t.equal(own.status, 200, `${authorization} next to credentials in the form`)
    }
  })

  t.test('A4: a client secret is never repeated in an error', async (t) => {
    const form = { ...user, client_secret: 'hunter2-not-to-be-seen', grant_type: 'hunter2-not-to-be-seen' }
    t.notMatch(await (await fixture.call('POST', PATH, { form })).text(), /hunter2/)
  })

  t.test('A4: a body that arrives byte by byte is read', async (t) => {
    const body = new URLSearchParams({ ...GRANT, ...user }).toString()
    const whole = await send(
      fixture.url,
      'POST',
      PATH,
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    )
    t.equal(whole.status, 200)
    const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join('')
    const head = [
      `POST ${PATH} HTTP/1.1`,
      'Host: x',
      'Content-Type: application/x-www-form-urlencoded',
      'Transfer-Encoding: chunked',
      'Connection: close',
    ]
    const chunked = await exchange(fixture.url, `${head.join('\r\n')}\r\n\r\n${chunks}0\r\n\r\n`)
    t.equal(readAnswer(chunked.text).status, 200)
  })
})
