import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { onEachStore } from '../support/items.ts'
import { recordLists } from '../support/recorded-lists.ts'

// Recorded with the last build that knew none of the parameters of J1.
const RECORDED = join(import.meta.dirname, '../fixtures', 'lists-before-finding.json')

onEachStore(t, 'J1: without its parameters a response is byte for byte what it was', async (t, fixture) => {
  t.strictSame(await recordLists(fixture), JSON.parse(readFileSync(RECORDED, 'utf8')))
})
