import Database from 'better-sqlite3'
import t from 'tap'
import { makeStatements } from '../src/connection.ts'

t.test('a statement is prepared once per text, and the cache is bounded', async (t) => {
  const database = new Database(':memory:')
  const prepared: Array<string> = []
  const prepare = (text: string) => {
    prepared.push(text)
    return database.prepare(text)
  }
  const statements = makeStatements(prepare, 2)
  t.equal(statements.get('select 1'), statements.get('select 1'))
  statements.get('select 2')
  statements.get('select 1')
  statements.get('select 3')
  t.strictSame(prepared, ['select 1', 'select 2', 'select 3'])
  statements.get('select 2')
  t.strictSame(prepared, ['select 1', 'select 2', 'select 3'], 'the oldest was dropped')
  statements.get('select 1')
  t.strictSame(prepared, ['select 1', 'select 2', 'select 3', 'select 1'])
  database.close()
})
