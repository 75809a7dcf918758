import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

// D8: a rendition is made once, also among processes.

const run = promisify(execFile)

const SCRIPT = `
  const { openFolderMediaStore } = await import('@almoner/adapters-media')
  const store = (await openFolderMediaStore({ folder: process.argv[1], clock: { now: () => Date.now() } })()).right
  const claimed = []
  for (let n = 0; n < 200; n += 1) {
    const name = 'sample_media-' + String(n).padStart(8, '0') + '.png'
    if ((await store.claimRenditions(name)()).right === 'claimed') claimed.push(name)
  }
  console.log(JSON.stringify(claimed))`

t.test('D8: of several processes on one folder, one gets the claim of each image', async (t) => {
  const folder = join(t.testdir(), 'media')
  const args = ['--input-type=module', '-e', SCRIPT, folder]
  const printed = await Promise.all(
    Array.from({ length: 3 }, () => run(process.execPath, args, { cwd: import.meta.dirname })),
  )
  const claimed = printed.flatMap(({ stdout }): ReadonlyArray<string> => JSON.parse(stdout))
  t.equal(claimed.length, 200)
  t.equal(new Set(claimed).size, 200)
})
