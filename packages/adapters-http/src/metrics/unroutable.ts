import { Counter, type Registry } from 'prom-client'

/** Makes the counter of attached devices to which nothing can be sent (F5). */
export const countUnroutable = (registry: Registry): (() => void) => {
  const devices = new Counter({
    name: 'almoner_unroutable_tokens_total',
    help: 'Device tokens attached whose kind is unknown: nothing can be sent to them.',
    registers: [registry],
  })
  return () => devices.inc()
}
