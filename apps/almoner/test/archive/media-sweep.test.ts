import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { almoner, logLines, serve } from '../support/almoner.ts'

const HOURS_AGO = new Date(Date.now() - 2 * 3_600_000)
const IMAGE = 'an-unguessable-name-of-an-image.png'

const imagesIn = (folder: string) =>
  readdirSync(join(folder, 'data/media')).filter((name) => name.endsWith('.png'))

/** The folder of a server whose images are all older than the sweep's hour of grace. */
const servedFolder = async (folder: string) => {
  await (await serve(folder)).stop()
  const path = join(folder, 'data/media', IMAGE)
  writeFileSync(path, 'not decoded here')
  utimesSync(path, HOURS_AGO, HOURS_AGO)
}

t.test(
  'D6: a start with the wrong database deletes no image, and log, readiness and doctor report the reason',
  async (t) => {
    const folder = t.testdir()
    await servedFolder(folder)
    const wrong = { ALMONER_DATABASE: 'sqlite:./data/typo.db' }
    const server = await serve(folder, [], wrong)
    await server.logged('image sweep stopped')
    t.strictSame(imagesIn(folder), [IMAGE])
    const ready = await fetch(`${server.url}/health/ready`)
    t.equal(ready.status, 200, 'a stopped sweep does not make the node unready')
    t.match(await ready.json(), { status: 'ready', degraded: [/^image-sweep-stopped: .*another database/] })
    const { err } = await server.stop()
    const line = logLines(err).find(({ msg }) => String(msg).startsWith('image sweep stopped'))
    t.match(line, { level: 'error', reason: 'other-storage', msg: /ALMONER_DATABASE.*almoner media adopt/ })

    const doctor = await almoner(folder, ['doctor'], wrong)
    t.equal(doctor.code, 1)
    t.match(doctor.out, /fault +images: .*another database/)
    for (const args of [
      ['media', 'sweep'],
      ['media', 'sweep', '--confirm'],
    ]) {
      const swept = await almoner(folder, args, wrong)
      t.equal(swept.code, 1, '--confirm does not override the check of the identity')
      t.match(swept.err, /^almoner: image sweep stopped, nothing was deleted: .*another database/)
    }
    t.strictSame(imagesIn(folder), [IMAGE])
  },
)

t.test(
  'D6: media adopt assigns the storage to this database, media sweep --confirm overrides the safety limits',
  async (t) => {
    const folder = t.testdir()
    mkdirSync(join(folder, 'data'))
    await servedFolder(folder)
    const other = { ALMONER_DATABASE: 'sqlite:./data/other.db' }
    t.match(await almoner(folder, ['media', 'adopt', '--json'], other), {
      code: 0,
      out: '{"adopted":true}\n',
    })
    const braked = await almoner(folder, ['media', 'sweep'], other)
    t.equal(braked.code, 1)
    t.match(
      braked.err,
      /references no image.*\(1 of 1 uploads, 0 of 0 portfolio images\).*media sweep --confirm/,
    )
    t.strictSame(imagesIn(folder), [IMAGE])
    t.match(await almoner(folder, ['media', 'sweep', '--confirm', '--json'], other), {
      code: 0,
      out: '{"uploads":1,"portfolio":0}\n',
    })
    t.strictSame(imagesIn(folder), [])
    t.equal(
      (await almoner(folder, ['media', 'sweep'])).code,
      1,
      'the storage no longer belongs to the first database',
    )
  },
)

t.test('D6: a restored backup keeps its identity, and can sweep its storage', async (t) => {
  const folder = t.testdir({ restored: {} })
  await (await serve(folder)).stop()
  const backup = join(folder, 'backup.tar')
  t.equal((await almoner(folder, ['backup', backup])).code, 0)
  const restored = join(folder, 'restored')
  t.equal((await almoner(restored, ['restore', backup])).code, 0)
  const marker = (at: string) => readFileSync(join(at, 'data/media/.almoner-identity'), 'utf8')
  t.equal(marker(restored), marker(folder))
  t.equal((await almoner(restored, ['media', 'sweep'])).code, 0)
})
