import Database from 'better-sqlite3'
import * as O from 'fp-ts/lib/Option.js'
import { Bench } from 'tinybench'
import { collect, done } from '../../../packages/domain/contracts/index.ts'
import { folded, foldedWords } from '../../../packages/domain/src/index.ts'
import { openStore } from '../store.ts'
import { manyOrganizations, TWO_WORDS } from './organizations.ts'
import { PAGE } from './reads.ts'

/** What is measured. */
interface Searching {
  /** A database with the portfolio. */
  readonly file: string
  readonly organizations: number
  readonly seconds: number
}

/** Milliseconds that a search took. */
interface Searched {
  readonly ours: { readonly mean: number; readonly p99: number }
  readonly beside: { readonly mean: number; readonly p99: number }
}

/** The names alone under a trigram index, which finds any part of a name of three characters or more. */
const byHand = (count: number) => {
  const db = new Database(':memory:')
  db.exec(`create virtual table organization using fts5(folded, id unindexed, tokenize = 'trigram')`)
  const add = db.prepare('insert into organization (id, folded) values (?, ?)')
  db.transaction(() => {
    for (const { id, name } of manyOrganizations(count).organizations) add.run(id, folded(name))
  })()
  const find = db.prepare('select id from organization where organization match ? order by id limit ?')
  const words = foldedWords(TWO_WORDS)
    .map((word) => `"${word}"`)
    .join(' AND ')
  return (): number => find.all(words, PAGE + 1).length
}

/** A search for two words in the portfolio, uncached and without HTTP, beside a trigram index made by hand, by tinybench. */
export const measureSearch = async ({ file, organizations, seconds }: Searching): Promise<Searched> => {
  const { engine, portfolio } = await openStore(file)
  const query = { id: O.none, joined: O.none, words: foldedWords(TWO_WORDS) }
  const page = { lim: O.some(PAGE), offset: 0, after: O.none }
  const ours = async (): Promise<number> =>
    (await collect(await done(portfolio.organizations(query, page)))).length
  const beside = byHand(organizations)
  if ((await ours()) !== Math.min(beside(), PAGE)) throw new Error('the two find different numbers')
  const bench = new Bench({ time: seconds * 1000, warmupTime: seconds * 300 })
    .add('ours', async () => void (await ours()))
    .add('beside', () => void beside())
  const tasks = await bench.run()
  await engine.close()
  const [our, their] = tasks.map(({ result }) => {
    if (result.state !== 'completed') throw new Error(`a search was ${result.state}`)
    const { mean, p99 } = result.latency
    return { mean, p99 }
  })
  if (our === undefined || their === undefined) throw new RangeError('nothing was measured')
  return { ours: our, beside: their }
}
