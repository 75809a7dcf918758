import type { Locator, Page } from '@almoner/browser'

/** A file as a person chooses it. */
export interface ChosenFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** How a person works in a page: by roles and visible names only. */
export interface Hands {
  /** Follows a link or presses a button. */
  readonly press: (role: 'link' | 'button', name: string | RegExp) => Promise<void>
  /** Replaces the text of a field. */
  readonly write: (name: string, text: string) => Promise<void>
  readonly tick: (name: string) => Promise<void>
  /** Chooses a file with the button that opens the file dialog. */
  readonly chooseFile: (button: RegExp, file: ChosenFile) => Promise<void>
}

const named = (page: Page, role: 'link' | 'button', name: string | RegExp): Locator =>
  page.getByRole(role, { name, exact: true }).first()

const chooseBy =
  (page: Page, press: Hands['press']): Hands['chooseFile'] =>
  async (button, file) => {
    const [dialog] = await Promise.all([page.waitForEvent('filechooser'), press('button', button)])
    await dialog.setFiles(file)
  }

/** A person with a mouse. */
export const withMouse = (page: Page): Hands => {
  const press: Hands['press'] = (role, name) => named(page, role, name).click()
  return {
    press,
    write: (name, text) => page.getByRole('textbox', { name, exact: true }).fill(text),
    tick: (name) => page.getByText(name, { exact: true }).click(),
    chooseFile: chooseBy(page, press),
  }
}

/** Runs in the page. */
const hasFocus = (element: unknown): boolean =>
  (element as { readonly matches: (selector: string) => boolean }).matches(':focus')

/** Presses of the Tab key after which a person gives up. */
const PATIENCE = 120

/** A person who has no mouse: goes from control to control with Tab. */
export const withKeyboard = (page: Page): Hands => {
  const goTo = async (target: Locator): Promise<void> => {
    await target.waitFor()
    for (let left = PATIENCE; left > 0; left -= 1) {
      if (await target.evaluate(hasFocus)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`the Tab key does not lead to ${target}`)
  }
  const press: Hands['press'] = async (role, name) => {
    await goTo(named(page, role, name))
    await page.keyboard.press('Enter')
  }
  return {
    press,
    write: async (name, text) => {
      await goTo(page.getByRole('textbox', { name, exact: true }))
      await page.keyboard.press('Control+A')
      await page.keyboard.type(text)
    },
    tick: async (name) => {
      await goTo(page.getByRole('checkbox', { name, exact: true }))
      await page.keyboard.press('Space')
    },
    chooseFile: chooseBy(page, press),
  }
}
