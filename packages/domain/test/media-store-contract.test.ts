import t from 'tap'
import { mediaStoreContract } from '../contracts/media-store.ts'
import { setClock } from '../memory/clock.ts'
import { memoryMediaStore } from '../memory/media-store.ts'

// The reference media store keeps the promises that the port makes (D2, D5).
mediaStoreContract(
  (name, body) => {
    t.test(name, async (t) =>
      body({ same: (a, b, m) => t.strictSame(a, b, m ?? ''), ok: (v, m) => t.ok(v, m ?? '') }),
    )
  },
  async () => {
    const clock = setClock()
    const store = memoryMediaStore(clock)
    return { store, clock, bytesOf: async (name) => store.held().get(name)?.bytes, close: async () => {} }
  },
)
