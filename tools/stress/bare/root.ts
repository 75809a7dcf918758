import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const REPOSITORY = join(import.meta.dirname, '../../..')

const run = (command: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

/** The first program of a name that is not from the packages: those have a Node of their own. */
const ofMachine = (name: string): string => {
  const folders = (process.env['PATH'] ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (found === undefined) throw new Error(`there is no ${name} on this machine`)
  return realpathSync(found)
}

/** The mirror of Debian that apt is set up with. */
const mirrorOfApt = (): string => {
  const parts = '/etc/apt/sources.list.d'
  const files = ['/etc/apt/sources.list', ...readdirSync(parts).map((name) => join(parts, name))]
  const text = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'))
  const [, mirror] =
    /^(?:URIs: *|deb (?:\[.*\] )?)(https?:\S+\/debian)\/?(?:\s|$)/m.exec(text.join('\n')) ?? []
  if (mirror === undefined) throw new Error('apt names no mirror of Debian: give one with --mirror')
  return mirror
}

/** Copies a file of this machine to the same place in the root. */
const copyInto = (root: string, path: string): void => {
  if (!existsSync(path)) return
  mkdirSync(join(root, dirname(path)), { recursive: true })
  cpSync(path, join(root, path), { dereference: true })
}

/** Copies what npm reads to reach its registry, as this machine has it set up. */
const copySettings = (root: string, node: string, npm: string): void => {
  for (const key of ['userconfig', 'globalconfig', 'cafile']) {
    const path = run(node, npm, 'config', 'get', key)
    if (path.startsWith('/')) copyInto(root, path)
  }
  for (const path of ['/etc/resolv.conf', '/etc/hosts']) copyInto(root, path)
}

/** A bare machine: a minimal Debian with a Node, npm, and a checkout of this repository in `/almoner`. */
export interface BareRoot {
  readonly path: string
  /** The folder of Node and npm in it. */
  readonly programs: string
  /** Libraries that the root has and whose name begins so. */
  readonly libraries: (prefix: string) => string
  /** Takes all of it away. */
  readonly remove: () => void
}

/** Where to get Debian. */
export interface Debian {
  /** The address of a mirror; that of apt when absent. */
  readonly mirror: string | undefined
  readonly suite: string
}

/** Makes a bare machine. Needs debootstrap, git, and the rights of root. */
export const makeRoot = ({ mirror = mirrorOfApt(), suite }: Debian): BareRoot => {
  const path = mkdtempSync(join(tmpdir(), 'almoner-bare-'))
  const mounts = ['proc', 'dev/shm'].map((folder) => join(path, folder))
  const remove = (): void => {
    const mounted = readFileSync('/proc/mounts', 'utf8')
    for (const place of mounts) if (mounted.includes(` ${place} `)) run('umount', place)
    rmSync(path, { recursive: true, force: true })
  }
  // In the same places as here, because npm finds the settings of the machine beside its Node.
  const [node, npm] = [ofMachine('node'), ofMachine('npm')]
  const programs = dirname(node)
  try {
    run('debootstrap', '--variant=minbase', suite, path, mirror)
    const library = join(dirname(npm), '..')
    copyInto(path, node)
    cpSync(library, join(path, library), { recursive: true, verbatimSymlinks: true })
    for (const name of ['npm', 'npx'])
      symlinkSync(join(library, `bin/${name}-cli.js`), join(path, programs, name))
    copySettings(path, node, npm)
    run('git', 'clone', '--quiet', '--no-local', REPOSITORY, join(path, 'almoner'))
    run('mount', '-t', 'proc', 'proc', join(path, 'proc'))
    mkdirSync(join(path, 'dev/shm'), { recursive: true })
    run('mount', '-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', join(path, 'dev/shm'))
  } catch (cause) {
    remove()
    throw cause
  }
  const libraries = (prefix: string) => run('find', join(path, 'usr/lib'), '-name', `${prefix}*`)
  return { path, programs, libraries, remove }
}
