import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { unpackChromium } from './unpack.ts'

/** The names of all hosts but this machine do not resolve. */
const ONLY_THIS_MACHINE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'

/**
 * Pages of tests live for seconds: compiling their code better, drawing it by a process for graphics, and keeping a process ready for the next
 * page takes longer than it saves.
 */
const FOR_SHORT_LIVES = [
  '--js-flags=--no-maglev --no-turbofan',
  '--disable-gpu',
  '--renderer-process-limit=1',
]

const HOW_TO_INSTALL =
  'No browser for the tests. Install Chrome, or set ALMONER_TEST_BROWSER to the path of a Chromium.'

/** Fontconfig needs absolute folders. Without any font Chromium ends at once, or renders no text. */
const fontConfig = (fonts: string, cache: string): string =>
  `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>`

/** Returns how to start the Chromium of npm, whose libraries and fonts come with it. `temporary` gets its font settings. */
const packagedChromium = async (temporary: string): Promise<LaunchOptions> => {
  const folder = await unpackChromium()
  const fonts = join(temporary, 'fonts.conf')
  writeFileSync(fonts, fontConfig(join(folder, 'fonts/fonts'), join(temporary, 'fonts')))
  const env = { ...process.env, LD_LIBRARY_PATH: join(folder, 'libraries/lib'), FONTCONFIG_FILE: fonts }
  return { executablePath: join(folder, 'chromium'), env }
}

const optionsFor = async (temporary: string): Promise<LaunchOptions> => {
  const executablePath = process.env['ALMONER_TEST_BROWSER']
  if (executablePath !== undefined) return { executablePath }
  const isPackaged = process.platform === 'linux' && process.arch === 'x64'
  return isPackaged ? packagedChromium(temporary) : { channel: 'chrome' }
}

/**
 * Starts a browser: the one at `ALMONER_TEST_BROWSER`, else on Linux x64 the Chromium of npm, else the installed Chrome. It reaches this
 * machine only. Rejects with one line that says what to install if there is none.
 */
export const launchBrowser = async (): Promise<Browser> => {
  const temporary = mkdtempSync(join(tmpdir(), 'almoner-browser-'))
  process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
  const options = {
    ...(await optionsFor(temporary)),
    args: [ONLY_THIS_MACHINE, ...FOR_SHORT_LIVES],
    chromiumSandbox: false,
  }
  return chromium.launch(options).catch((cause: unknown) => {
    throw new Error(HOW_TO_INSTALL, { cause })
  })
}
