import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { satisfies } from 'semver'
import { emptyFolder, packedPackages, ROOT, readManifest, unpack } from './packed.ts'

/**
 * Installs exactly the dependencies of a manifest into `folder/node_modules`: our packages from their tarballs, all others as links to those
 * of the workspace, which must be in the range. Peer dependencies are installed as npm and pnpm do. It needs no registry. A dependency that a manifest does not declare is missing, as with pnpm.
 */
type Install = (folder: string, dependencies: Readonly<Record<string, string>>, from: string) => void

const link = (target: string, path: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, 'dir')
}

const makeInstall = (): Install => {
  const packages = new Map(packedPackages().map((each) => [each.name, each]))
  const store = emptyFolder('store')

  /** Where a package of ours lies, unpacked once for all who ask for it. */
  const unpacked = (name: string): string => {
    const found = packages.get(name)
    if (found === undefined) throw new Error(`${name} is not published`)
    const home = join(store, name.replace('/', '+'))
    const folder = join(home, 'node_modules', name)
    if (!existsSync(folder)) {
      unpack(found.tarball, folder)
      const { dependencies, peerDependencies } = readManifest(folder)
      install(home, { ...dependencies, ...peerDependencies }, found.source)
    }
    return folder
  }

  const install: Install = (folder, dependencies, from) => {
    for (const [name, range] of Object.entries(dependencies)) {
      const target = packages.has(name) ? unpacked(name) : realpathSync(join(from, 'node_modules', name))
      const { version } = readManifest(target)
      if (!satisfies(version, range))
        throw new Error(`${folder} requires ${name} ${range}, the workspace has ${version}`)
      link(target, join(folder, 'node_modules', name))
    }
  }
  return install
}

let made: Install | undefined

/** Installs into a folder what its `package.json` asks for. Others come from `from`, a folder of the workspace. */
export const installIn = (folder: string, from = ROOT): void => {
  made ??= makeInstall()
  const { dependencies, devDependencies } = readManifest(folder)
  made(folder, { ...dependencies, ...devDependencies }, from)
}
