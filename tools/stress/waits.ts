// Many callers wait for changes at one server (N4). They must add less than 200 MB, and after a change all must have it within 15 seconds. They
// come from several addresses, each with as many connections as it may have waiting, and ask for one of several things. In each round `addedMB`
// is the growth of the resident size, with garbage that V8 has not collected yet, as there was before; `heldMB` says beside it how much is left in
// the last round after the most thorough collection. None is forced before that one, as it would make the rounds after it look smaller.
// Usage: pnpm build && node tools/stress/waits.ts [--waiting 10000] [--items 200] [--rounds 3]
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { check, folder, options, progress, report } from './campaign.ts'
import { addManager, ask, authorize, runBuilt, startServer } from './server.ts'

runBuilt()

const given = options({ waiting: 10_000, items: 200, rounds: 3 })
/** The most memory that waiting callers may add, in bytes. */
const MOST_ADDED = 200e6
/** Milliseconds within which all must have a change. */
const MOST_LATE = 15_000
/** Waiting requests of one address, as the default setting allows. */
const OF_ADDRESS = 1000
/** Connections that are opened at a time. */
const AT_ONCE = 100

const QUERIES = ['', 'lang=fr&', 'kinds=library&', 'kinds=library,label&include=labels&']

const form = addManager(folder)
const server = await startServer(folder, {
  ...{ ALMONER_LOG_LEVEL: 'error', ALMONER_CONSOLE: 'off' },
  // On a loaded machine the server would reject requests.
  ALMONER_MAX_DELAY: '60000',
  NODE_OPTIONS: `--expose-gc --import=data:text/javascript,process.on('SIGPWR',()=>gc({type:'major',flavor:'last-resort'}))`,
})
const headers = await authorize(server.url, form)
const { hostname, port } = new URL(server.url)

/** Returns bytes of memory: all that is resident, and the greatest that ever was. */
const memory = (): { readonly resident: number; readonly most: number } => {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
  const of = (name: string) => 1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1])
  return { resident: of('VmRSS'), most: of('VmHWM') }
}

/** Makes the server collect its garbage, and waits until it has given the memory back. */
const collect = async (): Promise<void> => {
  for (let n = 0; n < 2; n += 1) {
    server.process.kill('SIGPWR')
    await pause(3000)
  }
}

const create = async (n: number): Promise<void> => {
  const item = {
    itemTitle: `Item ${n}`,
    itemDescription: 'Waits',
    itemPublicationDate: '2026-01-01',
    lang: 'fr',
    link: 'https://example.org/',
  }
  const { status, body } = await ask(`${server.url}/library/`, headers, item)
  check(status === 200, `an item: ${status} ${JSON.stringify(body)}`)
}

/** Returns the cursor that follows everything there is. */
const lastCursor = async (query: string): Promise<string> => {
  for (let since = ''; ; ) {
    const { headers: received, body } = await ask<{ cursor: string }>(
      `${server.url}/changes?${query}lim=1000${since}`,
      headers,
    )
    since = `&since=${encodeURIComponent(body.cursor)}`
    if (!received.has('link')) return body.cursor
  }
}

const waiting = async (): Promise<number> => {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return Number(/^almoner_changes_waiting (\d+)$/m.exec(text)?.[1])
}

/** A caller with a connection. */
interface Waiter {
  readonly socket: Socket
  readonly query: string
  answered: Promise<number>
}

let isOver = false

const open = (n: number): Promise<Waiter> =>
  new Promise((resolve, reject) => {
    const localAddress = `127.0.0.${2 + Math.floor(n / OF_ADDRESS)}`
    const socket = connect({ port: Number(port), host: hostname, localAddress }, () =>
      resolve({ socket, query: QUERIES[n % QUERIES.length] ?? '', answered: Promise.resolve(0) }),
    )
    socket.once('error', reject).once('close', () => check(isOver, 'a connection was closed'))
  })

/** Sends a request that waits, and another one whenever its answer is empty; `answered` resolves to the moment of an answer with a change. */
const send = (waiter: Waiter, cursors: ReadonlyMap<string, string>): void => {
  const { socket, query } = waiter
  const since = encodeURIComponent(cursors.get(query) ?? '')
  const request = `GET /changes?${query}since=${since} HTTP/1.1\r\nHost: ${hostname}\r\nPrefer: wait=60\r
Authorization: ${headers.authorization}\r\n\r\n`
  waiter.answered = new Promise((resolve) => {
    let text = ''
    const read = (bytes: Buffer) => {
      text += bytes.toString('latin1')
      // Nothing would ever follow it.
      if (!text.startsWith('HTTP/1.1 200')) throw new Error(`an answer: ${text.slice(0, 400)}`)
      if (!text.includes('"cursor"')) return
      check(/preference-applied: wait=60/i.test(text), 'an answer that did not wait')
      const isChanged = text.includes('"operation":"put"')
      text = ''
      if (!isChanged) return socket.write(request)
      socket.off('data', read)
      return resolve(performance.now())
    }
    socket.on('data', read)
  })
  socket.write(request)
}

for (let n = 0; n < given.items; n += 1) await create(n)
for (let n = 0; n < 3000; n += 1) await lastCursor(QUERIES[n % QUERIES.length] ?? '')
await pause(3000)
const before = memory()
const waiters: Array<Waiter> = []
const rounds: Array<object> = []
let heldBytes = 0
for (let round = 0; round < given.rounds; round += 1) {
  const cursors = new Map<string, string>()
  for (const query of QUERIES) cursors.set(query, await lastCursor(query))
  const begun = performance.now()
  for (let n = 0; n < given.waiting; n += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, given.waiting - n) }, (_, at) => n + at)
    for (const at of some) waiters[at] ??= await open(at)
    for (const at of some) if (waiters[at] !== undefined) send(waiters[at], cursors)
    await pause(10)
  }
  for (let count = 0; count < given.waiting; count = await waiting()) {
    progress(`round ${round + 1}: ${count} wait`)
    await pause(500)
  }
  const gathered = performance.now() - begun
  // Some of the first waits end meanwhile, and begin again.
  await pause(10_000)
  const added = memory().resident - before.resident
  if (round === given.rounds - 1) {
    await collect()
    heldBytes = memory().resident - before.resident
  }
  const changed = performance.now()
  await create(given.items + round)
  const moments = await Promise.all(waiters.map(({ answered }) => answered))
  const late = Math.round(Math.max(...moments) - changed)
  check(added < MOST_ADDED, `round ${round + 1}: waiting callers added ${Math.round(added / 1e6)} MB`)
  check(late < MOST_LATE, `round ${round + 1}: the last had the change after ${late} ms`)
  rounds.push({ addedMB: Math.round(added / 1e6), gatheredMs: Math.round(gathered), lastMs: late })
}
const after = memory()
isOver = true
for (const { socket } of waiters) socket.destroy()
await server.stop()
report({
  ...given,
  rounds,
  heldMB: Math.round(heldBytes / 1e6),
  beforeMB: Math.round(before.resident / 1e6),
  mostMB: Math.round(after.most / 1e6),
  mostAddedMB: Math.round((after.most - before.resident) / 1e6),
})
