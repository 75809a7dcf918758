// The elliptic-curve work of Web Push (RFC 8291) alone, in a thread: a pair of keys and a shared secret for each push. Started by client.ts.
import { createECDH } from 'node:crypto'
import { parentPort } from 'node:worker_threads'

const theirs = createECDH('prime256v1').generateKeys()
const sender = createECDH('prime256v1')

parentPort?.on('message', (pushes: number) => {
  for (let n = 0; n < pushes; n += 1) {
    sender.generateKeys()
    sender.computeSecret(theirs)
  }
  parentPort?.postMessage(pushes)
})
