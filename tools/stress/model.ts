import { parseArgs } from 'node:util'
import root from 'tap'
import { checkModel } from '../../packages/adapters-http/test/model/check.ts'
import { type StoreName, startFixture } from '../../packages/adapters-http/test/support/fixture.ts'

// PostgreSQL's servers end with tap, which the stores bring along and which would end after half a minute.
root.setTimeout(0)

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'memory' },
    runs: { type: 'string', default: '1000' },
    length: { type: 'string', default: '150' },
    seed: { type: 'string' },
  },
})

const store = values.store as StoreName
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
const [runs, length] = [Number(values.runs), Number(values.length)]
process.stdout.write(`seed ${seed}\n`)
const begun = performance.now()
const asked = await checkModel({ open: (folder) => startFixture(folder, { store }), runs, length, seed })
const took = Math.round((performance.now() - begun) / 1000)
process.stdout.write(
  `${runs} sequences of up to ${length} commands on ${store}: ${asked} requests in ${took} s, all as the model has them\n`,
)
