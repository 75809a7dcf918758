import t from 'tap'
import {
  addPosts,
  addPublication,
  browser,
  DESKTOP,
  FILE,
  looksRight,
  openSignedOut,
  PHONE,
  PRESS_AT_ONCE,
  photo,
  REFUSED,
  scenario,
  typeTime,
} from '../support/scenario.ts'

t.teardown(() => browser.close())

t.test('a page beyond the end of a list leads to the last one', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    await addPosts(fixture, 'A well')
    await page.goto('/console/feed?status=Draft&offset=50')
    await page.getByRole('link', { name: 'A well' }).waitFor()
    t.match(page.url(), /\/console\/feed\?status=Draft$/)
  })
})

t.test('the query of a page outlives the sign-in, and a second link in the tab is taken', async (t) => {
  await scenario(t, { ...DESKTOP, isSignedOut: true, expected: [REFUSED] }, async (page, { newToken }) => {
    await page.goto('/console/library?status=Draft')
    await page.getByRole('heading', { name: 'Welcome to Almoner' }).waitFor()
    t.match(page.url(), `?to=${encodeURIComponent('/console/library?status=Draft')}`)
    await page.evaluate(`location.hash = 'used'`)
    await page.getByRole('alert').filter({ visible: true }).getByText('Ask for a new one').waitFor()
    await page.evaluate(`location.hash = '${await newToken()}'`)
    await page.getByRole('button', { name: 'Sign in as Camille' }).click()
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
    t.match(page.url(), /\/console\/library\?status=Draft$/)
  })
})

t.test('M3: signing in leads to a page of the console, and never round to another sign-in', async (t) => {
  const expected = [REFUSED, REFUSED, REFUSED, REFUSED]
  await scenario(t, { ...DESKTOP, isSignedOut: true, expected }, async (page, { newToken }) => {
    const signIn = async () => {
      await page.getByRole('textbox', { name: 'Your sign-in link' }).fill(await newToken())
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    for (const to of ['/console/sign-in?again=oidc', '/console/enter', '/console/api/session']) {
      await openSignedOut(page, `/console/sign-in?to=${encodeURIComponent(to)}`)
      await signIn()
      await page.getByRole('heading', { name: 'Hello, Camille' }).waitFor()
      t.match(page.url(), /\/console$/)
    }
    // A browser that keeps no cookies.
    await page.route('**/console/api/session', (route) => route.fulfill({ status: 401, json: {} }))
    const opened: Array<string> = []
    page.on('framenavigated', (frame) => void opened.push(new URL(frame.url()).pathname))
    await page.goto('/console/library')
    await page.waitForURL('**/console/sign-in?to=*')
    await signIn()
    await page.waitForURL('**/console/library')
    await page.waitForURL('**/console/sign-in?to=*')
    await page.getByRole('heading', { name: 'Welcome to Almoner' }).waitFor()
    t.same(
      opened,
      ['library', 'sign-in', 'library', 'sign-in'].map((name) => `/console/${name}`),
    )
  })
})

t.test(
  'M12: a failed save leaves no message of success; images that were added are missing no more',
  async (t) => {
    await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { fixture }) => {
      const id = await addPublication(fixture)
      await page.goto(`/console/library/${id}`)
      await page.getByRole('textbox', { name: 'Title' }).fill('Cleaner water')
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByText('Saved as a draft.').waitFor()
      await page.getByRole('button', { name: 'Publish' }).click()
      const missing = page.getByRole('alert').filter({ hasText: 'This is missing' })
      await missing.getByText('Cover: Add a cover.').waitFor()
      t.equal(await page.getByText('Saved as a draft.').count(), 0)
      await page.locator('#field-cover input[type=file]').setInputFiles(FILE)
      await page.getByRole('img', { name: 'Cover, as it is now' }).waitFor()
      await missing.getByText('Cover: Add a cover.').waitFor({ state: 'detached' })
      await page.locator('#field-notification input[type=file]').setInputFiles(FILE)
      await page.getByRole('img', { name: 'Image for notifications, as it is now' }).waitFor()
      await page.getByRole('switch', { name: 'Donors only' }).press('Space')
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.getByText('Published. Donors see it now.').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('main').getByText('Draft', { exact: true }).waitFor()
      const read = await fixture.call('GET', `/library/${id}`, { as: 'manager' })
      t.match(
        await read.json(),
        { items: [{ item: { status: 'Draft', isDonorRestricted: '0' } }] },
        'M12: undone as a whole',
      )
    })
  },
)

t.test('M12: in the editor an act needs half a second of sight, and a press acts once', async (t) => {
  await scenario(t, DESKTOP, async (page, { fixture }) => {
    const id = await addPublication(fixture, {}, 'Live')
    let saves = 0
    await page.route(/\/console\/api\/library\/[0-9a-f-]{36}$/, (route) => {
      if (route.request().method() === 'POST') saves += 1
      return route.continue()
    })
    await page.addInitScript(PRESS_AT_ONCE)
    await page.goto(`/console/library/${id}`)
    await page.locator('.editor-actions .act:not([aria-disabled])').first().waitFor()
    t.equal(saves, 0, 'nothing was saved unseen')
    await page.getByRole('textbox', { name: 'Title' }).fill('Cleaner water')
    await page.getByRole('button', { name: 'Save' }).dblclick()
    await page.getByText('Published. Readers see it now.').waitFor()
    t.equal(saves, 1)
    await page.locator('.editor-actions .act:not([aria-disabled])').first().waitFor()
    await page.getByRole('textbox', { name: 'Title' }).fill('Cleanest water')
    await page.keyboard.down('Control')
    for (let press = 0; press < 5; press += 1) await page.keyboard.down('s')
    await page.keyboard.up('s')
    await page.keyboard.up('Control')
    await page.getByText('Published. Readers see it now.').waitFor()
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('Archived.').waitFor()
    t.equal(saves, 3, 'a held key saves once')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.locator('.page-links').getByText('Live', { exact: true }).waitFor()
    const history = await fixture.call('GET', `/library/${id}/history`, {
      as: 'manager',
      query: { lim: '1' },
    })
    t.match(await history.json(), {
      history: [{ revision: { changes: [{ before: 'Archived', after: 'Live' }] } }],
    })
  })
})

t.test('C10: an image chosen during an upload follows it; a conflict names who and when', async (t) => {
  const settings = { ...PHONE, language: 'fr', embargo: true, expected: [REFUSED] } as const
  await scenario(t, settings, async (page, { fixture }) => {
    const id = await addPublication(fixture, { itemPublicationDate: '2099-05-01' })
    const isChosen = Promise.withResolvers<void>()
    await page.route(/\/media\/cover$/, async (route) => {
      await isChosen.promise
      await route.continue()
    })
    await page.goto(`/console/library/${id}`)
    await page.locator('#field-cover input[type=file]').setInputFiles(FILE)
    await page.locator('#field-notification input[type=file]').setInputFiles(FILE)
    isChosen.resolve()
    await page.getByRole('img', { name: 'Couverture, état actuel' }).waitFor()
    await page.getByRole('img', { name: 'Image pour les notifications, état actuel' }).waitFor()
    await page.unroute(/\/media\/cover$/)
    await page.route(/\/media\/cover$/, async (route) => {
      const form = new FormData()
      form.set('itemUploadMedia', new Blob([photo]), 'photo.jpg')
      await fixture.call('POST', `/library/${id}/media/cover`, { as: 'manager', multipart: form })
      await route.continue()
    })
    await page.locator('#field-cover input[type=file]').setInputFiles(FILE)
    const cover = page.getByRole('group', { name: 'Couverture' })
    await cover.getByText('Dernière modification : Application « manager », le').waitFor()
    await looksRight(t, page, 'conflit')
    await page.getByRole('button', { name: 'Publier' }).tap()
    await page.getByText('Publié. Les lecteurs le verront à partir du 1 mai 2099.').waitFor()
  })
})

t.test(
  'M12, K2: a new image of a live publication is asked for, shown in the history, and undone',
  async (t) => {
    await scenario(t, DESKTOP, async (page, { fixture }) => {
      const id = await addPublication(fixture, {}, 'Live')
      const coverNow = async () => {
        const read = await fixture.call('GET', `/library/${id}`, { as: 'user' })
        return ((await read.json()) as { items: [{ item: { coverImgUrl: string } }] }).items[0].item
          .coverImgUrl
      }
      const before = await coverNow()
      await page.goto(`/console/library/${id}`)
      const choose = () => page.locator('#field-cover input[type=file]').setInputFiles(FILE)
      await choose()
      const dialog = page.getByRole('dialog', { name: 'Cover: replace it?' })
      await looksRight(t, page, 'question')
      await dialog.getByRole('button', { name: 'Keep the present image' }).click()
      t.equal(await coverNow(), before)
      await choose()
      await dialog.getByRole('button', { name: 'Replace: Cover' }).click()
      await page.getByText('Cover: replaced. Readers see the new one.').waitFor()
      const after = await coverNow()
      t.not(after, before)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.locator(`#field-cover img[src="${before}"]`).waitFor()
      t.equal(await coverNow(), before)
      await page.goto(`/console/library/${id}/history`)
      const replaced = page.getByRole('listitem').filter({ hasText: 'The image was replaced.' }).first()
      await replaced.getByRole('img', { name: 'The image before' }).waitFor()
      await replaced.getByRole('img', { name: 'The image after' }).waitFor()
      await looksRight(t, page, 'history')
    })
  },
)

t.test('C6, M7: everything that a new publication lacks is named in one round', async (t) => {
  await scenario(t, { ...DESKTOP, expected: [REFUSED] }, async (page, { fixture }) => {
    await page.goto('/console/library/new')
    await page.locator('#field-cover input[type=file]').setInputFiles(FILE)
    await page.getByRole('img', { name: 'Cover, as it is now' }).waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    const missing = page.getByRole('alert').filter({ hasText: 'This is missing' })
    for (const name of ['Title', 'Text', 'Link', 'Image for notifications'])
      await missing.getByRole('link', { name: new RegExp(`^${name}: `) }).waitFor()
    t.equal(await missing.getByText('Cover: Add a cover.').count(), 0)
    const listed = await fixture.call('GET', '/library/', { as: 'manager' })
    t.match(await listed.json(), { items: [] }, 'nothing was created')
  })
})

t.test('B8, C9, C15: a date in the future says what it does, with the schedule beside it', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr', expected: [REFUSED, /409/] }, async (page, { fixture }) => {
    const id = await addPublication(fixture, {
      itemPublicationDate: '2099-05-01',
      link: 'https://example.org/',
    })
    await page.goto(`/console/library/${id}`)
    await page.getByText('Les lecteurs voient ce contenu dès sa mise en ligne, pas à cette date.').waitFor()
    const form = page.getByRole('group', { name: 'Programmation' })
    const fill = async (part: string, day: string, time: string) => {
      const first = form.getByRole('group', { name: part }).getByRole('spinbutton').first()
      await first.focus()
      await page.keyboard.type(day)
      await typeTime(page, time, '1000')
    }
    await fill('En ligne à partir du', '01052099', 'Heure de début')
    await form.getByRole('button', { name: 'Programmer' }).tap()
    await form.getByRole('alert').waitFor()
    await page.locator('#field-cover input[type=file]').setInputFiles(FILE)
    await page.getByRole('img', { name: 'Couverture, état actuel' }).waitFor()
    await page.locator('#field-notification input[type=file]').setInputFiles(FILE)
    await page.getByRole('img', { name: 'Image pour les notifications, état actuel' }).waitFor()
    await looksRight(t, page, 'programmation')
    await fill('En ligne à partir du', '1/2/27', 'Heure de début')
    await form.getByRole('button', { name: 'Programmer' }).tap()
    await form.getByText('La publication aura lieu le 1 février 2027 à 10:00.').waitFor()
    const query = { itemId: id, include: 'schedule' }
    const read = await fixture.call('GET', '/library/', { as: 'manager', query })
    t.match(await read.json(), {
      items: [{ item: { status: 'Draft', schedule: { publishAt: '2027-02-01T10:00:00.000Z' } } }],
    })
  })
})

/** Runs in the page: the name of the focused control if a bar covers its middle. */
const covered = `(() => {
  const control = document.activeElement
  const { left, top, width, height } = control.getBoundingClientRect()
  const above = document.elementFromPoint(left + width / 2, top + height / 2)
  return above?.closest('.editor-actions, .main-nav') && !above.contains(control) && !control.closest('.editor-actions, .main-nav') ? control.outerHTML : ''
})()`

t.test('WCAG 2.4.11: no bar covers the control that has the focus', async (t) => {
  await scenario(t, { ...PHONE, language: 'fr' }, async (page, { fixture }) => {
    const id = await addPublication(fixture)
    await page.goto(`/console/library/${id}`)
    await page.getByRole('group', { name: 'Programmation' }).waitFor()
    for (let step = 0; step < 50; step += 1) {
      await page.keyboard.press('Tab')
      t.equal(await page.evaluate(covered), '')
    }
  })
})
