import { EXTENSIONS, IMAGE_TYPES, isMediaName } from '@almoner/domain/media'
import type { Secrets } from '@almoner/domain/ports'
import type { ContractRunner } from './runner.ts'
import { done } from './samples.ts'

/** Contract tests of `Secrets`. */
export const secretsContract = (runner: ContractRunner, make: () => Secrets): void => {
  runner('A6: secrets are unique and safe in a URL', async (check) => {
    const secrets = make()
    const made = new Set(Array.from({ length: 1000 }, () => secrets.mint()))
    check.same(made.size, 1000)
    check.ok([...made].every((secret) => /^[\w.~-]{20,}$/.test(secret)))
  })

  runner('D2: image names are unique, have the known form and end with their type', async (check) => {
    const secrets = make()
    for (const type of IMAGE_TYPES) {
      const made = Array.from({ length: 100 }, () => secrets.mintMediaName(type))
      check.same(new Set(made).size, 100)
      check.ok(made.every((name) => isMediaName(name) && name.endsWith(`.${EXTENSIONS[type]}`)))
    }
  })

  runner('A6: equal secrets have equal digests, different ones different digests', async (check) => {
    const secrets = make()
    const [one, other] = [secrets.mint(), secrets.mint()]
    check.same(secrets.digest(one), secrets.digest(one))
    check.ok(secrets.digest(one) !== secrets.digest(other))
  })

  runner('A6: a digest matches its secret and no other text', async (check) => {
    const secrets = make()
    const secret = secrets.mint()
    const digest = secrets.digest(secret)
    check.same(await done(secrets.verify(secret, digest)), 'digest')
    check.same(await done(secrets.verify(`${secret}x`, digest)), 'none')
    for (const stored of ['', 'nonsense', `${digest}x`, digest.slice(1), '$scrypt$'])
      check.same(await done(secrets.verify(secret, stored)), 'none')
  })
}
