import { crc32, deflateRawSync } from 'node:zlib'

// Zip archives as programs write them. Every field that matters to a reader is as in archives of the program (APPNOTE.TXT 6.3.10).

/** A file of an archive, or a folder: its name ends with a slash or a backslash. */
export interface ZipFile {
  /** Bytes where the program does not write UTF-8. */
  readonly name: string | Uint8Array
  readonly content: string | Uint8Array
  /** Whether it is stored as it is; all others are packed by Deflate. */
  readonly isStored?: boolean
}

/** What a program writes into every entry. */
export interface Program {
  /** The system of the program: 0 is MS-DOS, 3 Unix, 10 NTFS. */
  readonly system: number
  /** The bit 11 of the flags says that names are UTF-8. */
  readonly isUtf8: boolean
  /** Whether sizes and checksums stand behind the content, and zeros before it. */
  readonly hasDescriptors?: boolean
  /** Whether sizes and places are of 64 bits. */
  readonly isZip64?: boolean
  /** Extra fields of an entry in the local header and in the directory. */
  readonly extra?: (name: Buffer) => Buffer
}

const [UTF_8, DESCRIPTOR] = [0x0800, 0x0008]
const ZIP64 = 0xffff_ffff

const numbers = (...fields: ReadonlyArray<readonly [bytes: 2 | 4 | 8, value: number]>): Buffer =>
  Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes)
      if (bytes === 8) field.writeBigUInt64LE(BigInt(value))
      else field.writeUIntLE(value, 0, bytes)
      return field
    }),
  )

/** Makes an extra field. */
export const extraField = (id: number, content: Buffer): Buffer =>
  Buffer.concat([numbers([2, id], [2, content.length]), content])

/** 1 March 2026, 10:30, as MS-DOS has it. */
const [TIME, DATE] = [0x53c0, 0x5c61]

/** A file as it is packed. */
interface Packed {
  readonly name: Buffer
  readonly content: Buffer
  readonly packed: Buffer
  readonly isFolder: boolean
  /** Version, flags, method and time: the same in both headers. */
  readonly head: Buffer
  /** Whether sizes stand behind the content. */
  readonly isBehind: boolean
}

const pack = (file: ZipFile, { isUtf8, isZip64 = false, hasDescriptors = false }: Program): Packed => {
  const [name, content] = [Buffer.from(file.name as string), Buffer.from(file.content as string)]
  const isFolder = /[/\\]$/.test(name.toString('latin1'))
  const isStored = isFolder || file.isStored === true
  const isBehind = hasDescriptors && !isFolder
  const flags = (isUtf8 ? UTF_8 : 0) | (isBehind ? DESCRIPTOR : 0)
  const version = isZip64 ? 45 : 20
  return {
    ...{ name, content, isFolder, isBehind },
    packed: isStored ? content : deflateRawSync(content),
    head: numbers([2, version], [2, flags], [2, isStored ? 0 : 8], [2, TIME], [2, DATE]),
  }
}

const NONE = Buffer.alloc(0)

const writeLocal = ({ name, content, packed, head, isBehind }: Packed, program: Program): Buffer => {
  const { isZip64 = false } = program
  const [sum, before, after] = isBehind ? [0, 0, 0] : [crc32(content), packed.length, content.length]
  const isWide = isZip64 && !isBehind
  const wide = isZip64 ? extraField(1, numbers([8, after], [8, before])) : NONE
  const extra = Buffer.concat([wide, program.extra?.(name) ?? NONE])
  const bytes = isZip64 ? 8 : 4
  return Buffer.concat([
    numbers([4, 0x04034b50]),
    head,
    numbers([4, sum], [4, isWide ? ZIP64 : before], [4, isWide ? ZIP64 : after]),
    numbers([2, name.length], [2, extra.length]),
    ...[name, extra, packed],
    isBehind
      ? numbers([4, 0x08074b50], [4, crc32(content)], [bytes, packed.length], [bytes, content.length])
      : NONE,
  ])
}

const writeCentral = (entry: Packed, program: Program, offset: number): Buffer => {
  const { name, content, packed, head, isFolder } = entry
  const { isZip64 = false, system } = program
  const wide = isZip64 ? extraField(1, numbers([8, content.length], [8, packed.length], [8, offset])) : NONE
  const extra = Buffer.concat([wide, program.extra?.(name) ?? NONE])
  const unixMode = isFolder ? 0o040755 : 0o100644
  const attributes = (system === 3 ? unixMode : 0) * 65_536 + (isFolder ? 16 : 0)
  const [small, large, place] = isZip64 ? [ZIP64, ZIP64, ZIP64] : [packed.length, content.length, offset]
  return Buffer.concat([
    numbers([4, 0x02014b50], [2, head.readUInt16LE() + system * 256]),
    head,
    numbers([4, crc32(content)], [4, small], [4, large]),
    numbers([2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0]),
    numbers([4, attributes], [4, place]),
    ...[name, extra],
  ])
}

/** Writes an archive. */
export const writeZip = (files: ReadonlyArray<ZipFile>, program: Program): Buffer => {
  const entries = files.map((file) => pack(file, program))
  const locals = entries.map((entry) => writeLocal(entry, program))
  let offset = 0
  const directory = entries.map((entry, at) => {
    const written = writeCentral(entry, program, offset)
    offset += locals[at]?.length ?? 0
    return written
  })
  const size = directory.reduce((all, { length }) => all + length, 0)
  const count = entries.length
  const wide = program.isZip64
    ? Buffer.concat([
        numbers([4, 0x06064b50], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0]),
        numbers([8, count], [8, count], [8, size], [8, offset]),
        numbers([4, 0x07064b50], [4, 0], [8, offset + size], [4, 1]),
      ])
    : NONE
  const shown = program.isZip64 ? 0xffff : count
  return Buffer.concat([
    ...locals,
    ...directory,
    wide,
    numbers([4, 0x06054b50], [2, 0], [2, 0], [2, shown], [2, shown]),
    program.isZip64 ? numbers([4, ZIP64], [4, ZIP64]) : numbers([4, size], [4, offset]),
    numbers([2, 0]),
  ])
}

/** Letters of the sample's names in code page 437. */
const CP437: Readonly<Record<string, number>> = { É: 0x90, é: 0x82, è: 0x8a, ç: 0x87, à: 0x85 }

/** Returns a name in code page 437. */
export const cp437 = (name: string): Buffer =>
  Buffer.from([...name].map((letter) => CP437[letter] ?? letter.charCodeAt(0)))

/** The times of Info-ZIP and of Archive Utility, and those of 7-Zip. */
const unixTime = (): Buffer =>
  extraField(0x5455, Buffer.concat([Buffer.from([1]), numbers([4, 1_772_360_000])]))
const ntfsTime = (): Buffer =>
  extraField(0x000a, Buffer.concat([numbers([4, 0], [2, 1], [2, 24]), Buffer.alloc(24, 3)]))

/** The field with the name in UTF-8 of Info-ZIP's programs, for a name that they could not write. */
export const unicodePath =
  (real: (name: Buffer) => string) =>
  (name: Buffer): Buffer =>
    extraField(0x7075, Buffer.concat([Buffer.from([1]), numbers([4, crc32(name)]), Buffer.from(real(name))]))

/** The programs of the corpus. */
export const PROGRAMS = {
  explorer: { system: 0, isUtf8: false },
  explorer11: { system: 0, isUtf8: true },
  archiveUtility: { system: 3, isUtf8: false, hasDescriptors: true, extra: unixTime },
  sevenZip: { system: 0, isUtf8: true, extra: ntfsTime },
  infoZip: { system: 3, isUtf8: true, extra: unixTime },
  oldInfoZip: { system: 3, isUtf8: false, extra: unixTime },
  python: { system: 3, isUtf8: true },
  pythonStream: { system: 3, isUtf8: true, hasDescriptors: true, isZip64: true },
  zip64: { system: 3, isUtf8: true, isZip64: true },
  dotNet4: { system: 0, isUtf8: true },
} as const satisfies Readonly<Record<string, Program>>
