import { registerHooks } from 'node:module'
import { failure } from '@almoner/testkit/contracts'
import t from 'tap'
import { portfolioImageChecker, sharpImageChecker } from '../../src/index.ts'

t.test('H1: if sharp cannot be loaded, no SVG is blamed', async (t) => {
  const hooks = registerHooks({
    resolve: (name, context, next) => {
      if (name === 'sharp') throw new Error('not installed')
      return next(name, context)
    },
  })
  t.teardown(() => hooks.deregister())
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>')
  t.equal(await failure(portfolioImageChecker(sharpImageChecker()).check(svg)), 'Unavailable')
})
