import type { Migration } from './migration.ts'

/** Devices of unknown kind are counted by `doctor` without reading all devices (F5). */
export const unroutableDevices: Migration = {
  name: '0015-unroutable-devices',
  statements: () => ["create index device_unroutable on device (id) where kind = 'unroutable'"],
}
