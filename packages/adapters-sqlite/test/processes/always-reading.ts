import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'

// Always has a reader of FILE open, and never one for long, until its standard input ends. Usage: node always-reading.ts FILE
const [, , file = ''] = process.argv
const [one, other] = [new Database(file, { readonly: true }), new Database(file, { readonly: true })]
const begin = (reader: Database.Database) => reader.exec('begin; select count(*) from epoch')

let isOver = false
process.stdin.once('end', () => {
  isOver = true
})
process.stdin.resume()
begin(one)
process.stdout.write('reading')
for (let [open, next] = [one, other]; !isOver; [open, next] = [next, open]) {
  begin(next)
  open.exec('rollback')
  await nextTurn()
}
