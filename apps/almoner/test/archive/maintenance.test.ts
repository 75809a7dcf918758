import { statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { serve } from '../support/almoner.ts'
import { furnish } from '../support/archive.ts'
import { command } from '../support/portfolio.ts'

const FILE = 'data/almoner.db'

/** Makes a database larger than its content. */
const waste = async (folder: string): Promise<void> => {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(join(folder, FILE))
  database.exec(`create table waste (text text);
    with recursive counted (n) as (select 1 union all select n + 1 from counted where n < 500)
      insert into waste select hex(randomblob(1000)) from counted;
    drop table waste`)
  database.close()
}

t.test('maintenance vacuum shrinks the file and keeps its content', async (t) => {
  const folder = t.testdir()
  await furnish(folder)
  await waste(folder)
  const listed = await command(folder, 'user', 'list')
  const before = statSync(join(folder, FILE)).size
  const { code, out } = await command(folder, 'maintenance', 'vacuum', '--json')
  const after = statSync(join(folder, FILE)).size
  t.strictSame([code, JSON.parse(out)], [0, { before, after }])
  t.ok(after < before - 900_000, `${before} to ${after}`)
  t.strictSame(await command(folder, 'user', 'list'), listed)
})

t.test('maintenance vacuum rejects a missing database and one that a process has open', async (t) => {
  const folder = t.testdir({ empty: {} })
  await furnish(folder)
  const server = await serve(folder)
  t.match(await command(folder, 'maintenance', 'vacuum'), {
    code: 1,
    err: 'almoner: a process has the database open: stop the service first\n',
  })
  await server.stop()
  t.match(await command(join(folder, 'empty'), 'maintenance', 'vacuum'), {
    code: 1,
    err: /there is no database/,
  })
})
