import fc from 'fast-check'
import t from 'tap'
import * as domain from './fixtures/domain.ts'

const { addressIn, networkOf, plainForwardedFor } = domain

/** The eight groups of an IPv6 address. */
const groups = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
  .filter((all) => all.slice(0, 5).some((group) => group !== 0))
const ipv4 = fc.ipV4()
const port = fc.integer({ min: 10_000, max: 65_535 })

/** The ways in which proxies write an address of IPv4. */
const formsOfFour = (address: string, number: number): ReadonlyArray<string> => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const mapped = `::ffff:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  return [
    ...[address, `${address}:${number}`, `"${address}:${number}"`, ` ${address}:${number}\t`],
    ...[`::ffff:${address}`, `::FFFF:${address}:${number}`, `[::ffff:${address}]:${number}`],
    ...[mapped, `[${mapped}]`, `"[${mapped}]:${number}"`, `0:0:0:0:0:ffff:${address}`],
    ...[`64:ff9b::${address}`, `[0064:FF9B::${mapped.slice(7)}]:${number}`, `::ffff:0:${address}`],
  ]
}

/** The ways in which proxies write an address of IPv6. A port without brackets has five digits here, so that it is no group. */
const formsOfSix = (all: ReadonlyArray<number>, number: number): ReadonlyArray<string> => {
  const text = all.map((group) => group.toString(16)).join(':')
  const padded = all.map((group) => group.toString(16).padStart(4, '0')).join(':')
  return [
    ...[text, padded, padded.toUpperCase(), `[${text}]`, `[${text}]:${number}`, `"[${text}]:${number}"`],
    ...[`${text}:${number}`, `${text}%eth0`, `[${text}%25eth0]:${number}`, ` [${padded}]:1 `],
  ]
}

t.test('A8: an address counts for the same network in each form in which proxies write it', async (t) => {
  fc.assert(
    fc.property(ipv4, port, (address, number) =>
      formsOfFour(address, number).every((form) => networkOf(form) === address),
    ),
  )
  fc.assert(
    fc.property(groups, port, (all, number) => {
      const expected = `${all
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}::/64`
      return formsOfSix(all, number).every((form) => networkOf(form) === expected)
    }),
  )
  t.pass()
})

t.test('A8: other texts hold no address, with a port or without', async (t) => {
  for (const text of [
    ...['', 'unknown', '_hidden', 'proxy.example.org', 'proxy.example.org:443', ':443', '[]', '[]:80', '"'],
    ...[
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '01.2.3.4',
      '1.2.3.4:',
      '1.2.3.4:123456',
      '1.2.3.4:80:80',
      '0x1.2.3.4',
    ],
    ...[
      '1:2:3',
      '1::2::3',
      ':::',
      '1:2:3:4:5:6:7:8:9:10',
      '::1.2.3',
      '1.2.3.4::',
      '::1.2.3.4:5:6',
      '[::1',
      '::1]:80',
    ],
    ...['for=192.0.2.1', '192.0.2.1 192.0.2.2', '"192.0.2.1', '::ffff:999.1.1.1', 'g::1'],
  ]) {
    t.equal(addressIn(text), undefined, JSON.stringify(text))
    t.equal(networkOf(text), text)
  }
})

t.test('A8: X-Forwarded-For is read from its end back to the first element without an address', async (t) => {
  for (const [field, expected] of [
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711, 10.0.0.5:443', '192.0.2.1, 10.0.0.5'],
    ['[2001:db8::1]:4711,"[2001:db8::2]"', '2001:db8::1, 2001:db8::2'],
    [' , 192.0.2.1:1 ,, 10.0.0.5 ,', '192.0.2.1, 10.0.0.5'],
    ['192.0.2.1, unknown, 10.0.0.5:443', '10.0.0.5'],
    ['192.0.2.1, unknown', ''],
    ['unknown', ''],
    ['', ''],
    ['fe80::1%eth0', 'fe80::1'],
  ] as const)
    t.equal(plainForwardedFor(field), expected, field)
  const long = plainForwardedFor('::1,'.repeat(20_000))
  t.ok(long.length < 1000, 'a long field is read in part')
})
