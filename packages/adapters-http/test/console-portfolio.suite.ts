import { done } from '@almoner/domain/contracts'
import { samplePortfolio } from '../../domain/contracts/portfolio-samples.ts'
import { OWN_PAGE, onBoth, signIn } from './support/console.ts'
import { seeProblem } from './support/problems.ts'

onBoth('H1: the console lists texts that lack a language or their highlight', async (t, fixture) => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  await done(fixture.ports.portfolio.replace(samplePortfolio()))
  const found = async (query: string) => {
    const response = await fixture.call('GET', `/console/api/portfolio/findings${query}`, { headers })
    const { findings } = (await response.json()) as { findings: ReadonlyArray<{ finding: object }> }
    return findings.map(({ finding }) => Object.values(finding).join(' '))
  }
  const all = await found('')
  t.match(all, ['sector arts Arts en missing '])
  t.same(await found('?organizationId=acme'), [
    'program acme Organization acme fr fewer ',
    'challenge acme Organization acme fr missing 10',
  ])
  t.same(await found('?organizationId=unknown'), [])
  await seeProblem(t, await fixture.call('GET', '/portfolio/findings', { as: 'manager' }), 'not_found')
})
