// A thread with one connection, which runs the statements that it is sent, one after the other (I6). Each start loads all that is imported.
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { Answer, Question, ThreadOptions } from './open-thread.ts'

/** Statements that stay prepared: a thread runs a few texts over and over. */
const MOST = 200

const open = ({ file, readonly, cache, timeout }: ThreadOptions) => {
  const database = new Database(file, { readonly, timeout, fileMustExist: true })
  database.exec(`pragma cache_size = -${cache}; pragma temp_store = memory; pragma wal_autocheckpoint = 0`)
  const prepared = new Map<string, Database.Statement>()
  const statementOf = (text: string): Database.Statement => {
    const known = prepared.get(text)
    if (known !== undefined) return known
    if (prepared.size === MOST) prepared.clear()
    const statement = database.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  return { database, statementOf }
}

let opened: ReturnType<typeof open> | undefined

const run = ({ statementOf }: ReturnType<typeof open>, { sql, parameters }: Question): Answer => {
  const statement = statementOf(sql)
  if (statement.reader) return { rows: statement.all(...parameters) }
  statement.run(...parameters)
  return { rows: [] }
}

/** Errors lose their class on the way to another thread: what says which they are goes by itself. */
const answerTo = (question: Question): Answer => {
  try {
    opened ??= open(workerData)
    return run(opened, question)
  } catch (cause) {
    const { message, code } = cause as Error & { readonly code?: string }
    return { error: message, ...(cause instanceof Database.SqliteError && { code }) }
  }
}

parentPort?.on('message', (question: Question | 'close') => {
  if (question !== 'close') return parentPort?.postMessage(answerTo(question))
  opened?.database.close()
  parentPort?.close()
})
