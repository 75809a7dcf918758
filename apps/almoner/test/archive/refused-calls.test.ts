import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sampleLibraryItem } from '@almoner/testkit/contracts'
import sharp from 'sharp'
import t from 'tap'
import {
  FAULTS,
  OPTIONAL_CALLS,
  type OptionalCallName,
  REFUSALS,
  refuse,
} from '../../../../packages/adapters-media/test/support/refusing.ts'
import { logLines, serve } from '../support/almoner.ts'
import { furnish, imageIn } from '../support/archive.ts'
import { call as ask } from '../support/asking.ts'
import { tokenOf } from '../support/client.ts'
import { inProcess } from '../support/in-process.ts'
import { ownFolder } from '../support/own-folder.ts'

const folder = ownFolder()
const credentials = await furnish(folder)

const calls = Object.keys(OPTIONAL_CALLS) as ReadonlyArray<OptionalCallName>

/** Runs a command on the service of a folder. */
const on = (place: string, ...args: ReadonlyArray<string>) =>
  inProcess(args, {
    ALMONER_DATABASE: `sqlite:${join(place, 'data/almoner.db')}`,
    ALMONER_MEDIA: `file:${join(place, 'data/media')}`,
  })

const image = 'sample-upload-000001.png'

for (const call of calls) {
  for (const code of REFUSALS)
    t.test(
      `D10: archives are written and read where a file system refuses to ${call} with ${code}`,
      async (t) => {
        await refuse(t, call, code)
        const place = t.testdir({ restored: {}, imported: {} })
        const [backup, archive] = [join(place, 'backup.tar'), join(place, 'export.tar')]
        const [restored, imported] = [join(place, 'restored'), join(place, 'imported')]
        t.match(await on(folder, 'backup', backup), { code: 0, err: '' })
        t.match(await on(folder, 'export', archive), { code: 0, err: '' })
        t.match(await on(restored, 'restore', backup), { code: 0, err: '' })
        t.match(await on(imported, 'import', archive), { code: 0, err: '' })
        for (const to of [restored, imported]) t.equal(imageIn(to, image), imageIn(folder, image))
        t.match(await on(restored, 'doctor'), {
          out: /ok +media: a file could be written, read, listed and deleted/,
        })
      },
    )

  for (const code of FAULTS)
    t.test(`D10: ${code} of the call to ${call} fails import, restore and doctor's trial`, async (t) => {
      const place = t.testdir({ restored: {}, imported: {} })
      const [backup, archive] = [join(place, 'backup.tar'), join(place, 'export.tar')]
      await on(folder, 'backup', backup)
      await on(folder, 'export', archive)
      const whole = readFileSync(backup)
      await refuse(t, call, code)
      t.match(await on(join(place, 'restored'), 'restore', backup), { code: 1, err: new RegExp(code) })
      t.match(await on(join(place, 'imported'), 'import', archive), { code: 1, err: new RegExp(code) })
      mkdirSync(join(place, 'data/media'), { recursive: true })
      t.match(await on(place, 'doctor'), {
        code: 1,
        out: new RegExp(`media: images cannot be stored .*${code}`),
      })
      // An archive has no times to set.
      if (call !== 'set times')
        t.match(await on(folder, 'backup', join(place, 'second.tar')), { code: 1, err: new RegExp(code) })
      t.ok(readFileSync(backup).equals(whole), 'the first archive is as it was')
    })
}

/** A module that lets a process's file system refuse to flush folders and to set times. */
const REFUSING = `import { open } from 'node:fs/promises'
const handle = await open('/', 'r')
const prototype = Object.getPrototypeOf(handle)
await handle.close()
const { sync } = prototype
const fail = (code) => { throw Object.assign(new Error(code), { code }) }
prototype.utimes = async () => fail('EPERM')
prototype.sync = async function () { return (await this.stat()).isDirectory() ? fail('EINVAL') : sync.call(this) }`

t.test('D10: a server takes uploads on such a file system, and logs one warning a kind', async (t) => {
  const preload = `--import=data:text/javascript;base64,${Buffer.from(REFUSING).toString('base64')}`
  const server = await serve(folder, [], { NODE_OPTIONS: preload })
  t.teardown(() => server.stop())
  const { access_token: token } = await tokenOf(server.url, credentials)
  const png = await sharp({ create: { width: 600, height: 600, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const upload = (image: 'cover' | 'notification') => {
    const body = new FormData()
    body.append('itemUploadMedia', new Blob([png], { type: 'image/png' }), 'image.png')
    return ask(`${server.url}/library/${sampleLibraryItem(1).id}/media/${image}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    })
  }
  for (const image of ['cover', 'notification'] as const) {
    const answer = await upload(image)
    t.equal(answer.status, 200, await answer.text())
  }
  const { err } = await server.stop()
  const warned = logLines(err).filter(({ level, code }) => level === 'warn' && code !== undefined)
  t.strictSame(warned.map(({ code }) => code).toSorted(), [
    'ALMONER_FOLDER_NOT_FLUSHED',
    'ALMONER_TIMES_NOT_SET',
  ])
  t.notMatch(err, /\(node:/, 'stderr holds nothing but lines of JSON')
})
