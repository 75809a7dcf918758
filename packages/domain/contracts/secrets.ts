import { EXTENSIONS, IMAGE_TYPES, isMediaName, type Secrets } from '../src/index.ts'
import type { ContractRunner } from './runner.ts'
import { done } from './samples.ts'

/** What every `Secrets` must do. */
export const secretsContract = (runner: ContractRunner, make: () => Secrets): void => {
  runner('A6: secrets differ, and are safe in a URL', async (check) => {
    const secrets = make()
    const made = new Set(Array.from({ length: 1000 }, () => secrets.mint()))
    check.same(made.size, 1000)
    check.ok([...made].every((secret) => /^[\w.~-]{20,}$/.test(secret)))
  })

  runner('D2: names of images differ, are of the known form and end as their type does', async (check) => {
    const secrets = make()
    for (const type of IMAGE_TYPES) {
      const made = Array.from({ length: 100 }, () => secrets.mintMediaName(type))
      check.same(new Set(made).size, 100)
      check.ok(made.every((name) => isMediaName(name) && name.endsWith(`.${EXTENSIONS[type]}`)))
    }
  })

  runner('A6: a token has one digest, which does not show it', async (check) => {
    const secrets = make()
    const [one, other] = [secrets.mint(), secrets.mint()]
    check.same(secrets.digest(one), secrets.digest(one))
    check.ok(secrets.digest(one) !== secrets.digest(other))
  })

  runner('A6: a hash knows its secret, is salted, and nothing else passes', async (check) => {
    const secrets = make()
    const secret = secrets.mint()
    const [first, second] = [await done(secrets.hash(secret)), await done(secrets.hash(secret))]
    check.ok(first !== second)
    for (const hash of [first, second]) check.same(await done(secrets.verify(secret, hash)), true)
    check.same(await done(secrets.verify(`${secret}x`, first)), false)
    for (const hash of ['', 'nonsense', `${first}x`, '$scrypt$'])
      check.same(await done(secrets.verify(secret, hash)), false)
  })
}
