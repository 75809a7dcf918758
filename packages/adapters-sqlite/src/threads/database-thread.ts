// A thread with one connection, which runs the statements that it is sent, one after the other (I6).
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { CACHED_STATEMENTS, makeStatements, type Statements } from '../connection.ts'
import type { Answer, Question, ThreadOptions } from './open-thread.ts'

const open = ({ file, readonly, cache, timeout }: ThreadOptions) => {
  const database = new Database(file, { readonly, timeout, fileMustExist: true })
  database.exec(`pragma cache_size = -${cache}; pragma temp_store = memory; pragma wal_autocheckpoint = 0`)
  return { database, statements: makeStatements((text) => database.prepare(text), CACHED_STATEMENTS) }
}

let opened: ReturnType<typeof open> | undefined

const run = (statements: Statements<Database.Statement>, { sql, parameters }: Question): Answer => {
  const statement = statements.get(sql)
  if (statement.reader) return { rows: statement.all(...parameters) }
  statement.run(...parameters)
  return { rows: [] }
}

/** Errors lose their class on the way to another thread: what says which they are goes by itself. */
const answerTo = (question: Question): Answer => {
  try {
    opened ??= open(workerData)
    return run(opened.statements, question)
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
