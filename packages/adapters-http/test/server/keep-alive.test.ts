import t from 'tap'
import { startFixture } from '../support/fixture.ts'
import { exchange } from '../support/raw.ts'

t.test('ALMONER_KEEP_ALIVE: an idle connection stays for the time of the setting', async (t) => {
  for (const [keepAlive, seconds] of [
    [undefined, 73],
    [5, 5],
    [620, 620],
  ] as const) {
    const fixture = await startFixture(t.testdir({}), { store: 'memory', keepAlive })
    const { server } = fixture.app
    const buffer: unknown = Reflect.get(server, 'keepAliveTimeoutBuffer')
    t.equal(server.keepAliveTimeout + Number(buffer), seconds * 1000)
    const twice = `GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n`
    const last = `GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    const { text } = await exchange(fixture.url, `${twice}${last}`)
    t.match(
      text,
      new RegExp(`^Keep-Alive: timeout=${seconds - 1}\\r$`, 'im'),
      'clients hear of a second less',
    )
    await fixture.stop()
  }
})
