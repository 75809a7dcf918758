import { type CheckedTranslation, makeCheckTranslations } from '@almoner/domain/content'
import * as O from 'fp-ts/lib/Option.js'
import type { Command } from '../cli/command.ts'
import { printBatches } from '../cli/print-batches.ts'
import { table } from '../cli/table.ts'
import { fromDatabase } from '../failure.ts'

/** The heads are as wide as the cells below them can be, so that batches align. */
const HEADS = ['ITEM'.padEnd(36), 'LANG', 'STATUS'.padEnd(8), 'COUNTERPART'.padEnd(36), 'FINDING']

const counterpartId = ({ counterpart }: CheckedTranslation): string =>
  O.isSome(counterpart) ? counterpart.value.id : ''

const documentOf = (checked: CheckedTranslation) => ({
  itemId: checked.item.id,
  lang: checked.item.lang,
  status: checked.item.status,
  counterpartId: counterpartId(checked),
  findings: checked.findings,
})

/** `check translations`: prints findings while it reads the library, which may not fit into memory. */
export const checkTranslations: Command = {
  usage: 'check translations',
  summary: 'list publications whose counterpart in the other language is missing, not Live or newer',
  async run(call) {
    const checked = await fromDatabase(makeCheckTranslations(await call.service.ports())())
    const rows = (batch: ReadonlyArray<CheckedTranslation>) =>
      batch.map((one) => [
        one.item.id,
        one.item.lang,
        one.item.status,
        counterpartId(one),
        one.findings.join(', '),
      ])
    return printBatches(
      checked.batches,
      { table: (batch) => table(HEADS, rows(batch)), document: documentOf },
      call,
    )
  },
}
