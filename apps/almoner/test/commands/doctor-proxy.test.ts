import t from 'tap'
import { proxyCheck } from '../../src/commands/doctor/exposure.ts'
import type { Examination } from '../../src/commands/doctor/finding.ts'

import { readSettings, settingsOf } from '../../src/config/read.ts'

// Outgoing requests honour HTTPS_PROXY, or the doctor says which do not (operations.md).

const PROXY = { HTTPS_PROXY: 'http://user:secret@proxy.example.org:3128' }
const BUCKET = { ALMONER_MEDIA: 's3://bucket?endpoint=https://s3.example.org' }

const CASES = [
  [{}, '24.21.0', 'ok', /^HTTPS_PROXY is not set/],
  [BUCKET, '22.19.0', 'ok', /^HTTPS_PROXY is not set/],
  [PROXY, '22.19.0', 'ok', /proxy\.example\.org:3128/],
  [
    { ...PROXY, ...BUCKET },
    '24.21.0',
    'ok',
    /https bucket go through proxy\.example\.org:3128.*traces do not/,
  ],
  ...(['22.21.0', '24.5.0', '25.0.0', '26.10.0'] as const).map(
    (node) => [{ ...PROXY, ...BUCKET }, node, 'ok', /https bucket/] as const,
  ),
  ...(['22.19.0', '22.20.1', '23.11.0', '24.4.1'] as const).map(
    (node) => [{ ...PROXY, ...BUCKET }, node, 'warning', /bucket of images do not go through/] as const,
  ),
] as const

t.test('doctor: it says which requests go through the proxy, without its password', async (t) => {
  for (const [environment, node, level, what] of CASES) {
    const examination = { settings: settingsOf(environment), machine: { node } } as Examination
    const found = await proxyCheck.look(examination)
    t.match(found, [{ level, what }], JSON.stringify({ environment, node }))
    t.notMatch(JSON.stringify(found), 'secret')
  }
})

t.test('Settings: HTTPS_PROXY that is no proxy is refused by name, without its value', async (t) => {
  for (const value of ['socks5://secret:1080', 'http://secret:%@host', 'secret secret'])
    t.match(readSettings({ HTTPS_PROXY: value }), { left: [/^HTTPS_PROXY must be (?!.*secret)/] })
  t.match(readSettings({ ALMONER_PORT: 'x', HTTPS_PROXY: 'ftp://a' }), {
    left: [/^ALMONER_PORT/, /^HTTPS_PROXY/],
  })
})
