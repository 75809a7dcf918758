// Applies steps to the file of a copy without end, and prints the number of each after it is applied.
import { fileStore } from '../../src/file-store.ts'
import { entryOf, stepAt } from './store-contract.ts'

const store = fileStore(process.argv[2] ?? '')
const { cursor = 'cursor 0' } = (await store.position()) ?? {}
for (let n = Number(cursor.split(' ').at(-1)); ; n += 1) {
  await store.apply(stepAt(n, { puts: [{ ...entryOf(n % 5), rank: String(n) }] }))
  process.stdout.write(`${n + 1}\n`)
}
