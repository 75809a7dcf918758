import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { forwardText, makeLogDestination } from '../src/log-destination.ts'

const faultOf = (code: string): Error => Object.assign(new Error(code), { code })

/** An output that accepts this number of bytes at a time, or fails with an error, and the lines to it. */
const fixture = () => {
  const reader = { read: '', takes: Number.POSITIVE_INFINITY, fault: 'EAGAIN', halts: 0 }
  const lost: Array<number> = []
  const lines = makeLogDestination({
    write: (bytes) => {
      if (reader.takes === 0) throw faultOf(reader.fault)
      const taken = Buffer.from(bytes.subarray(0, reader.takes))
      // A pipe that is full takes a part, and then nothing.
      if (taken.length < bytes.length) reader.takes = 0
      reader.read += taken.toString('latin1')
      return taken.length
    },
    sleep: () => {
      reader.halts += 1
    },
    onDropped: (count) => lost.push(count),
  })
  return { reader, lines, lost }
}

const numbered = (from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: to - from }, (_, at) => `${JSON.stringify({ line: from + at })}\n`)

const WHY = ['EAGAIN', 'EPIPE', 'ENOSPC', 'EIO']

for (const fault of WHY)
  t.test(
    `${fault}: lines wait for their reader, block nothing, and arrive complete and in order`,
    async (t) => {
      const { reader, lines, lost } = fixture()
      const all = numbered(0, 2000)
      for (const line of all.slice(0, 10)) lines.write(line)
      reader.takes = 7
      reader.fault = fault
      lines.flush()
      for (const line of all.slice(10)) lines.write(line)
      lines.flush()
      t.equal(reader.read, all.join('').slice(0, 7))
      reader.takes = Number.POSITIVE_INFINITY
      lines.flush()
      t.equal(reader.read, all.join(''))
      t.strictSame([lost, reader.halts], [[], 0])
    },
  )

t.test('lines are written together, and at the latest when they are flushed', async (t) => {
  const { reader, lines } = fixture()
  lines.write('{}\n')
  t.equal(reader.read, '')
  lines.flush()
  t.equal(reader.read, '{}\n')
  lines.write(`${'x'.repeat(3000)}\n`)
  t.equal(reader.read.length, 3004)
})

t.test('the queue is bounded; lost lines are counted, and reported once after the others', async (t) => {
  const { reader, lines, lost } = fixture()
  reader.takes = 0
  const line = `${'é'.repeat(999)}\n`
  for (let count = 0; count < 2000; count++) lines.write(line)
  t.strictSame(lost, [])
  reader.takes = Number.POSITIVE_INFINITY
  lines.flush()
  const whole = reader.read.split('\n').length - 1
  t.ok(reader.read.length <= 1024 * 1024 + 3 * line.length, 'bytes, not characters')
  t.strictSame(lost, [2000 - whole])
  lines.write(line)
  lines.flush()
  t.strictSame(lost, [2000 - whole])
})

t.test('the exit waits for a slow reader, but not forever and not for one that is gone', async (t) => {
  for (const [fault, halts] of [
    ['EAGAIN', 50],
    ['EPIPE', 0],
  ] as const) {
    const { reader, lines } = fixture()
    lines.write('{}\n')
    reader.takes = 0
    reader.fault = fault
    lines.end()
    t.equal(reader.halts, halts)
  }
})

const MODULE = join(import.meta.dirname, '../src/log-destination.ts')

/** A process that writes lines of 100 bytes to descriptors, says how many were lost on stdout, and ends. */
const writing = (count: number, log: number | 'pipe') => {
  const script = `
    import { logDestinationOf } from ${JSON.stringify(MODULE)}
    for (const descriptor of [2, 4]) {
      let lost = 0
      const lines = logDestinationOf(descriptor, (more) => { lost += more })
      for (let count = 0; count < ${count}; count += 1) lines.write('x'.repeat(99) + '\\n')
      lines.flush()
      console.log(lost)
    }`
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', log, 'ignore', log],
  })
}

t.test('descriptors: unread pipes keep no process from its work or its end', async (t) => {
  const child = writing(20_000, 'pipe')
  child.stderr?.pause()
  t.strictSame(
    [await text(child.stdout as NodeJS.ReadableStream), ...(await once(child, 'exit'))],
    ['0\n0\n', 0, null],
  )
})

t.test('descriptors: a file takes all lines', async (t) => {
  const path = join(t.testdir(), 'log')
  const file = openSync(path, 'a')
  t.teardown(() => closeSync(file))
  await once(writing(20_000, file), 'exit')
  t.equal(readFileSync(path).length, 2 * 20_000 * 100)
})

t.test('the text of a process is forwarded as whole lines', async (t) => {
  const { reader, lines } = fixture()
  const output = new PassThrough()
  forwardText(null, lines)
  forwardText(output, lines)
  output.write('one\ntw')
  output.end('o')
  await once(output, 'close')
  t.equal(reader.read, 'one\ntwo\n')
})
