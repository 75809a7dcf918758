import t, { type Test } from 'tap'
import { startFixture } from '../support/fixture.ts'
import { asResponse, fieldsOf, seeProblem } from '../support/problems.ts'
import { exchange, send } from '../support/raw.ts'
import { LIBRARY_ITEM } from '../support/samples.ts'

const multipartOf = (fields: ReadonlyArray<readonly [string, string]>): FormData => {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

t.test('A5, interface 3: how an access token is sent', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const token = await fixture.token('manager')
  const item = Object.entries(LIBRARY_ITEM)
  const inForm = [...item, ['access_token', token]] as const
  const bearer = { authorization: `Bearer ${token}` }

  const repeated = async (t: Test, response: Response, about: string) => {
    t.equal(
      response.headers.get('www-authenticate'),
      'Bearer realm="almoner", error="invalid_request"',
      `${about}: RFC 6750 §3.1`,
    )
    t.same(fieldsOf(await seeProblem(t, response, 'invalid_request', about)), ['access_token'])
  }

  t.test('A5: as the parameter access_token in the query, with every method', async (t) => {
    t.equal((await fixture.call('GET', '/library/', { query: { access_token: token } })).status, 200)
    t.equal((await fixture.call('HEAD', '/library/', { query: { access_token: token } })).status, 200)
    const posted = await fixture.call('POST', '/library/', {
      query: { access_token: token },
      json: LIBRARY_ITEM,
    })
    t.equal(posted.status, 200)
    const gone = await fixture.call('DELETE', '/library/x/label/water', { query: { access_token: token } })
    t.equal(gone.status, 404, 'the item is unknown, the token valid')
  })

  t.test("A5: as a field of the body in each of B1's encodings", async (t) => {
    t.equal(
      (await fixture.call('POST', '/library/', { json: Object.fromEntries(inForm) })).status,
      200,
      'JSON',
    )
    t.equal(
      (await fixture.call('POST', '/library/', { form: Object.fromEntries(inForm) })).status,
      200,
      'form',
    )
    const first = multipartOf([['access_token', token], ...item])
    t.equal((await fixture.call('POST', '/library/', { multipart: first })).status, 200, 'multipart, first')
    t.equal((await fixture.call('POST', '/library/', { multipart: multipartOf(inForm) })).status, 200, 'last')
    const json = { json: { access_token: token } }
    t.equal((await fixture.call('DELETE', '/library/x/label/water', json)).status, 404, 'DELETE with a body')
  })

  t.test('A5: in a multipart body before and after a file', async (t) => {
    const file = new File([new Uint8Array([1, 2, 3])], 'a.png', { type: 'image/png' })
    for (const order of ['before', 'after']) {
      const form = new FormData()
      if (order === 'before') form.set('access_token', token)
      form.set('itemUploadMedia', file)
      if (order === 'after') form.set('access_token', token)
      const response = await fixture.call('POST', '/feed/unknown/media', { multipart: form })
      await seeProblem(t, response, 'not_found', `${order} the file`)
    }
  })

  t.test('A5: as Authorization: Bearer, with the scheme in any case', async (t) => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      const headers = { authorization: `${scheme} ${token}` }
      t.equal((await fixture.call('GET', '/library/', { headers })).status, 200, scheme)
    }
    const spaced = await send(fixture.url, 'GET', '/library/', { Authorization: `Bearer   ${token}  ` })
    t.equal(spaced.status, 200, 'more than one space')
    t.equal((await fixture.call('POST', '/library/', { headers: bearer, json: LIBRARY_ITEM })).status, 200)
  })

  t.test('A5: two ways in one request are 400 invalid_request, even with valid tokens', async (t) => {
    const query = { access_token: token }
    const json = { ...LIBRARY_ITEM, access_token: token }
    const form = Object.fromEntries(inForm)
    const multipart = () => multipartOf(inForm)
    await repeated(t, await fixture.call('GET', '/library/', { headers: bearer, query }), 'header, query')
    await repeated(t, await fixture.call('POST', '/library/', { headers: bearer, json }), 'header, JSON')
    await repeated(t, await fixture.call('POST', '/library/', { headers: bearer, form }), 'header, form')
    await repeated(
      t,
      await fixture.call('POST', '/library/', { headers: bearer, multipart: multipart() }),
      'header, multipart',
    )
    await repeated(t, await fixture.call('POST', '/library/', { query, json }), 'query, JSON')
    await repeated(t, await fixture.call('POST', '/library/', { query, form }), 'query, form')
    await repeated(
      t,
      await fixture.call('POST', '/library/', { query, multipart: multipart() }),
      'query, multipart',
    )
    await repeated(t, await fixture.call('POST', '/library/', { headers: bearer, query, json }), 'all three')
  })

  t.test('A5: the same way twice is 400 invalid_request too', async (t) => {
    const twice = `/library/?access_token=${token}&access_token=${token}`
    await repeated(t, await fixture.call('GET', twice), 'query')
    const form: Array<[string, string]> = [
      ['access_token', token],
      ['access_token', token],
    ]
    await repeated(t, await fixture.call('POST', '/library/', { form }), 'form')
    await repeated(t, await fixture.call('POST', '/library/', { multipart: multipartOf(form) }), 'multipart')
    const body = `{"access_token":"${token}","access_token":"${token}"}`
    const headers = { 'content-type': 'application/json' }
    await repeated(t, await fixture.call('POST', '/library/', { headers, body }), 'JSON')
    await repeated(
      t,
      await fixture.call('POST', '/library/', { json: { access_token: [token] } }),
      'JSON array',
    )
    const fields = `Authorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\n`
    const raw = await exchange(
      fixture.url,
      `GET /library/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${fields}\r\n`,
    )
    await repeated(t, asResponse(raw), 'two header fields')
  })

  t.test('A5: no token is 401 with WWW-Authenticate: Bearer and no error (RFC 6750 §3.1)', async (t) => {
    const asked = [
      ['GET', '/library/', {}],
      ['GET', '/library/', { query: { access_token: '' } }],
      ['GET', '/library/', { headers: { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` } }],
      ['POST', '/library/', { json: { ...LIBRARY_ITEM, access_token: '' } }],
      ['POST', '/library/', { json: { ...LIBRARY_ITEM, access_token: null } }],
      ['POST', '/library/', { form: LIBRARY_ITEM }],
      ['POST', '/library/', { multipart: multipartOf(item) }],
      ['POST', '/library/', {}],
    ] as const
    for (const [method, path, more] of asked) {
      const response = await fixture.call(method, path, more)
      t.equal(response.headers.get('www-authenticate'), 'Bearer realm="almoner"')
      await seeProblem(t, response, 'invalid_token')
    }
  })

  t.test('A5: an invalid token is 401 with error="invalid_token", in every way of sending', async (t) => {
    const bad = { access_token: 'no-such-token' }
    const asked = [
      ['GET', { query: bad }],
      ['GET', { headers: { authorization: 'Bearer no-such-token' } }],
      ['GET', { headers: { authorization: 'Bearer' } }],
      ['GET', { headers: { authorization: `Bearer ${token}x` } }],
      ['GET', { headers: { authorization: `Bearer ${token} ${token}` } }],
      ['GET', { headers: { authorization: `Bearer ${token.toUpperCase()}` } }],
      ['POST', { json: { ...LIBRARY_ITEM, ...bad } }],
      ['POST', { json: { ...LIBRARY_ITEM, access_token: 12 } }],
      ['POST', { json: { ...LIBRARY_ITEM, access_token: { a: 1 } } }],
      ['POST', { form: { ...LIBRARY_ITEM, ...bad } }],
      ['POST', { multipart: multipartOf([...item, ['access_token', 'x'.repeat(60_000)]]) }],
    ] as const
    for (const [method, more] of asked) {
      const response = await fixture.call(method, '/library/', more)
      t.equal(
        response.headers.get('www-authenticate'),
        'Bearer realm="almoner", error="invalid_token"',
        JSON.stringify(more).slice(0, 60),
      )
      await seeProblem(t, response, 'invalid_token')
    }
  })

  t.test('A5: an invalid token in the header is rejected before the body is read', async (t) => {
    const head = [
      'POST /library/ HTTP/1.1',
      'Host: x',
      'Authorization: Bearer nothing',
      'Content-Type: application/json',
      'Content-Length: 1000000',
      'Connection: close',
    ]
    const answer = await exchange(fixture.url, `${head.join('\r\n')}\r\n\r\n`)
    t.equal(answer.status, 401, 'although no byte of the body has arrived')
  })

  t.test('A5: a token is read from no other places', async (t) => {
    for (const headers of [
      { cookie: `access_token=${token}` },
      { 'x-access-token': token },
      { authorization: token },
      { authorization: `Token ${token}` },
      { authorization: `Bearer:${token}` },
    ])
      t.equal(
        (await fixture.call('GET', '/library/', { headers })).status,
        401,
        JSON.stringify(Object.keys(headers)),
      )
    const named = { query: { Access_Token: token } }
    t.equal((await fixture.call('GET', '/library/', named)).status, 401, 'names are case-sensitive (B2)')
  })

  t.test('A5: a missing scope is 403 with error="insufficient_scope" and the scope', async (t) => {
    for (const [method, path, as, scope] of [
      ['POST', '/library/', 'donor', 'content-manager'],
      ['POST', '/feed/', 'user', 'user-donor'],
      ['DELETE', '/feed/x/media/', 'user', 'content-manager'],
    ] as const) {
      const sent = await fixture.token(as)
      const body = method === 'POST' ? { json: { access_token: sent } } : { query: { access_token: sent } }
      for (const more of [{ headers: { authorization: `Bearer ${sent}` } }, body]) {
        const response = await fixture.call(method, path, more)
        t.equal(
          response.headers.get('www-authenticate'),
          `Bearer realm="almoner", error="insufficient_scope", scope="${scope}"`,
        )
        await seeProblem(t, response, 'insufficient_scope', `${method} ${path}`)
      }
    }
  })
})
