import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { serve } from '../../apps/almoner/test/support/almoner.ts'
import { inPage, launchBrowser } from '../../testing/browser/src/index.ts'
const OUT = process.env['OUT'] ?? '/work/camp/desk53/shots'
mkdirSync(OUT, { recursive: true })
const ONLY = process.env['ONLY']
const tmp = mkdtempSync(join(tmpdir(), 'desk53-'))
const [browser, server] = await Promise.all([launchBrowser(), serve(tmp, ['--demo'])])
const link = /(http:\S+\/console\/enter#[\w-]{43})/.exec(server.said().out)?.[1] ?? ''
try {
  await inPage(browser, { baseURL: server.url, viewport: { width: 1280, height: 900 }, locale: 'en-GB', expected: [/./] } as never, async (page) => {
    await page.goto(link)
    await page.getByRole('button', { name: /^Sign in as / }).click()
    await page.getByRole('heading', { name: /Hello/ }).waitFor()
    const href = async (path: string, selector: string, n = 0) => {
      await page.goto(path)
      await page.locator(selector).nth(n).waitFor({ timeout: 20000 }).catch(() => {})
      return (await page.locator(selector).nth(n).getAttribute('href').catch(() => null)) ?? ''
    }
    const item = (await href('/console/library', 'main li a[href*="/library/"]')).replace(/\/translation$/, '')
    const id = /library\/([0-9a-f-]{36})/.exec(item)?.[1]
    const post = /feed\/([0-9a-f-]{36})/.exec(await href('/console/feed', 'main li a[href*="/feed/"]'))?.[1]
    const org = await href('/console/portfolio', 'main a[href*="/organizations/"]')
    const notif = /notifications\/([0-9a-f-]{36})/.exec(await href('/console/notifications', 'main a[href*="/notifications/0"]'))?.[1]
    const person = await href('/console/people?q=a', 'main a[href*="/people/"]')
    console.log({ id, post, org, notif, person })
    const all: Array<[string, string]> = [
      ['desk', '/console'], ['library', '/console/library'], ['new', '/console/library/new'], ['editor', `/console/library/${id}`],
      ['history', `/console/library/${id}/history`], ['pair', `/console/library/${id}/translation`], ['preview', `/console/library/${id}/preview`],
      ['feed', '/console/feed'], ['feednew', '/console/feed/new'], ['post', `/console/feed/${post}`], ['queue', '/console/queue'], ['overview', '/console/queue?view=overview'],
      ['calendar', '/console/calendar'], ['week', '/console/calendar?view=week'], ['results', '/console/results'], ['managers', '/console/managers'],
      ['account', '/console/account'], ['shortcuts', '/console/shortcuts'], ['manual', '/console/manual'],
      ['portfolio', '/console/portfolio'], ['load', '/console/portfolio/load'], ['org', org],
      ['notifications', '/console/notifications'], ['notifcal', '/console/notifications?view=calendar'], ['notif', `/console/notifications/${notif}`],
      ['compose', '/console/notifications/new'], ['composeitem', `/console/notifications/new?item=${id}`],
      ['proposals', '/console/proposals'], ['proposal', `/console/library/${id}/proposal`],
      ['people', '/console/people?q=a'], ['person', person], ['clients', '/console/clients'], ['operations', '/console/operations'], ['audit', '/console/audit'],
      ['notfound', '/console/nowhere'],
    ]
    const pages = all.filter(([name, path]) => path !== '' && (ONLY === undefined || ONLY.split(',').includes(name)))
    for (const lang of ['en', 'fr'] as const) {
      if (lang === 'fr') {
        await page.setViewportSize({ width: 1280, height: 900 })
        await page.goto('/console/account')
        await page.getByText('Français', { exact: true }).click()
        await page.getByRole('heading', { name: 'Mon compte' }).waitFor({ timeout: 10000 }).catch(() => {})
        await page.waitForTimeout(500)
      }
      for (const [name, path] of pages) {
        const parts: Array<Buffer> = []
        for (const [width, colorScheme] of [[1280, lang === 'en' ? 'light' : 'dark'], [390, lang === 'en' ? 'dark' : 'light']] as const) {
          await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
          await page.emulateMedia({ colorScheme })
          await page.goto(path)
          await page.locator('h1').first().waitFor({ timeout: 10000 }).catch(() => {})
          await page.waitForTimeout(700)
          const scroll = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
          if (scroll !== 0) console.log('SCROLLS', lang, name, width, scroll)
          const shot = await page.screenshot({ fullPage: true })
          const { height = 0 } = await sharp(shot).metadata()
          const cut = await sharp(shot).extract({ left: 0, top: 0, width, height: Math.min(height, 1900) }).toBuffer()
          parts.push(width === 1280 ? await sharp(cut).resize({ width: 1000 }).toBuffer() : cut)
        }
        const sizes = await Promise.all(parts.map((part) => sharp(part).metadata()))
        const height = Math.max(...sizes.map((one) => one.height ?? 0))
        await sharp({ create: { width: 1400, height, channels: 3, background: '#f0f' } })
          .composite([{ input: parts[0]!, left: 0, top: 0 }, { input: parts[1]!, left: 1010, top: 0 }])
          .png({ palette: true }).toFile(join(OUT, `${name}-${lang}.png`))
      }
    }
  })
} finally {
  await browser.close()
  await server.stop()
}
