import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** The public host of the configurations in docs/deployment.md. */
export const HOST = 'almoner.example.org'

/** The path of the tests below a path. */
export const BELOW = '/almoner'

/** How a proxy maps paths: none is taken off, one is passed on, or one is taken off. */
export type Mapping = 'at the root' | 'path passed on' | 'path taken off'

/** What a proxy is started with. */
interface Setup {
  readonly folder: string
  readonly port: number
  /** The port of the service. */
  readonly service: number
  readonly mapping: Mapping
  /** The folder of the certificate and its key. */
  readonly certificates: string
}

/** A proxy from Debian's packages. */
interface ProxyServer {
  readonly name: string
  readonly binary: string
  readonly packages: ReadonlyArray<string>
  /** The language of its block in docs/deployment.md. */
  readonly language: string
  /** Lines of the block, and what stands in their place below a path. */
  readonly below: Readonly<Record<Exclude<Mapping, 'at the root'>, ReadonlyArray<readonly [string, string]>>>
  /** Completes the block to a whole configuration, and returns the command that runs it in the foreground. */
  readonly command: (block: string, setup: Setup) => readonly [string, ...ReadonlyArray<string>]
}

const written = (path: string, content: string): string => {
  writeFileSync(path, content)
  return path
}

const MODULES =
  'mpm_event authz_core brotli deflate filter headers http2 lbmethod_byrequests proxy proxy_balancer proxy_http slotmem_shm socache_shmcb ssl'

export const PROXIES: ReadonlyArray<ProxyServer> = [
  {
    name: 'nginx',
    binary: '/usr/sbin/nginx',
    packages: ['nginx-light'],
    language: 'nginx',
    below: {
      'path passed on': [['location / {', `location ${BELOW}/ {`]],
      'path taken off': [
        ['upstream almoner {', `map $request_uri $almoner_path { ~^${BELOW}(/.*)$ $1; }\nupstream almoner {`],
        ['location / {', `location ${BELOW}/ {`],
        ['proxy_pass http://almoner;', 'proxy_pass http://almoner$almoner_path;'],
      ],
    },
    command: (block, { folder }) => {
      const content = `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; events {} http {
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')}
include /etc/nginx/mime.types;
${block}
}`
      return ['/usr/sbin/nginx', '-c', written(join(folder, 'nginx.conf'), content)]
    },
  },
  {
    name: 'Caddy',
    binary: '/usr/bin/caddy',
    packages: ['caddy'],
    language: 'caddy',
    below: {
      'path passed on': [['reverse_proxy 127', `reverse_proxy ${BELOW}/* 127`]],
      'path taken off': [
        [`respond ${BELOW}/metrics* 404`, `handle_path ${BELOW}/* {\n  respond /metrics* 404`],
        ['fail_duration 2s\n  }', 'fail_duration 2s\n  }\n  }'],
      ],
    },
    command: (block, { folder, port, certificates }) => {
      const site = block.replace(
        /^(\S+) \{/m,
        `https://$1:${port} {\n  tls ${certificates}/almoner.pem ${certificates}/almoner.key`,
      )
      const content = `{\n  admin off\n  auto_https disable_redirects\n}\n${site}`
      return [
        '/usr/bin/caddy',
        'run',
        '--adapter',
        'caddyfile',
        '--config',
        written(join(folder, 'Caddyfile'), content),
      ]
    },
  },
  {
    name: 'HAProxy',
    binary: '/usr/sbin/haproxy',
    packages: ['haproxy'],
    language: 'haproxy',
    below: {
      'path passed on': [['default_backend almoner', `use_backend almoner if { path_beg ${BELOW}/ }`]],
      'path taken off': [
        ['default_backend almoner', `use_backend almoner if { path_beg ${BELOW}/ }`],
        ['option httpchk', `http-request replace-path ${BELOW}(/.*) \\1\n  option httpchk`],
      ],
    },
    command: (block, { folder }) => [
      '/usr/sbin/haproxy',
      '-db',
      '-f',
      written(join(folder, 'haproxy.cfg'), block),
    ],
  },
  {
    name: 'Apache',
    binary: '/usr/sbin/apache2',
    packages: ['apache2-bin'],
    language: 'apache',
    below: {
      'path passed on': [
        ['ProxyPass / balancer://almoner/', `ProxyPass ${BELOW}/ balancer://almoner${BELOW}/`],
      ],
      'path taken off': [['ProxyPass / balancer://almoner/', `ProxyPass ${BELOW}/ balancer://almoner/`]],
    },
    command: (block, { folder, port }) => {
      const modules = MODULES.split(' ').map(
        (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
      )
      const content = `ServerRoot ${folder}\nPidFile ${folder}/apache.pid\nListen ${port}\nServerName ${HOST}\nErrorLog ${folder}/apache.log
DefaultRuntimeDir ${folder}\nUser www-data\nGroup www-data\n${modules.join('\n')}\n${block}`
      return ['/usr/sbin/apache2', '-DFOREGROUND', '-f', written(join(folder, 'apache.conf'), content)]
    },
  },
]

const DOCS = readFileSync(join(import.meta.dirname, '../../docs/deployment.md'), 'utf8')

const blockOf = ({ language }: ProxyServer): string => {
  const [, block] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(DOCS) ?? []
  if (block === undefined) throw new Error(`docs/deployment.md has no configuration of ${language}`)
  return block
}

/** Replaces a part of a configuration. The document names both. */
const replaced = (block: string, [old, changed]: readonly [string, string]): string => {
  if (!block.includes(old)) throw new Error(`the configuration has no ${old}`)
  return block.replace(old, () => changed)
}

/** Fits a block of the document to this machine: its files, its ports, and one app. */
const fitted = (block: string, { certificates, port, service }: Setup): string =>
  block
    .replaceAll('/etc/ssl/almoner.pem', `${certificates}/almoner.pem`)
    .replaceAll('/etc/ssl/private/almoner.key', `${certificates}/almoner.key`)
    .replaceAll('127.0.0.1:3001', `127.0.0.1:${service}`)
    .replaceAll(/^ *(?:server|BalancerMember) .*:3002.*\n/gm, '')
    .replaceAll(' 127.0.0.1:3002', '')
    .replaceAll(/(listen |bind :|\*:)443/g, `$1${port}`)

/** Makes a certificate for the host, once for all proxies. HAProxy reads the key from the same file. */
export const makeCertificate = (folder: string): string => {
  const [key, certificate] = [join(folder, 'almoner.key'), join(folder, 'almoner.pem')]
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  const files = ['-keyout', key, '-out', certificate]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files],
    {
      stdio: 'ignore',
    },
  )
  const text = readFileSync(certificate, 'utf8')
  writeFileSync(certificate, text + readFileSync(key, 'utf8'))
  return text
}

/** A server of Debian's packages. */
type Packaged = Pick<ProxyServer, 'binary' | 'packages'>

const isInstalled = ({ binary }: Packaged): boolean => {
  try {
    execFileSync('test', ['-x', binary])
    return true
  } catch {
    return false
  }
}

/** Installs a server if it is missing. Returns its version, or undefined where that is impossible. */
export const installed = (server: Packaged): string | undefined => {
  try {
    if (!isInstalled(server))
      execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...server.packages], {
        stdio: 'ignore',
      })
    // A line with the package's name, a tab and its version.
    const line = execFileSync('dpkg-query', ['-W', server.packages[0] ?? ''], { encoding: 'utf8' }).trim()
    return line.replace(/^.*\t(?:\d+:)?/, '').replace(/[-+~].*$/, '')
  } catch {
    return undefined
  }
}

/** Returns a port on which nothing listens. */
export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Starts a proxy as docs/deployment.md configures it, and waits until it listens. */
export const startProxy = async (server: ProxyServer, setup: Setup): Promise<ChildProcess> => {
  mkdirSync(setup.folder, { recursive: true })
  const root = blockOf(server)
  const block =
    setup.mapping === 'at the root'
      ? root
      : server.below[setup.mapping].reduce(
          replaced,
          root.replace(' /metrics', () => ` ${BELOW}/metrics`),
        )
  const [file, ...args] = server.command(fitted(block, setup), setup)
  const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  for (let tries = 0; !(await isOpen(setup.port)); tries += 1) {
    if (tries > 100 || child.exitCode !== null) throw new Error(`${server.name} does not start`)
    await pause(100)
  }
  return child
}
