import { maxHeaderSize } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { LARGEST_HEAD, LONGEST_SEGMENT } from '../../limits.ts'
import { routerSettingsOf } from '../../router-settings.ts'

/** Returns the most bytes of a request before its body that the server reads; undefined for HTTP/2, which has no such setting. */
const headLimitOf = ({ server, initialConfig }: FastifyInstance): number | undefined => {
  if (initialConfig.http2 === true) return undefined
  const limit: unknown = Reflect.get(server, 'maxHeaderSize')
  return typeof limit === 'number' ? limit : maxHeaderSize
}

/** Returns a line for each setting of an application that is too small, with its fix. */
const faultsOf = (app: FastifyInstance): ReadonlyArray<string> => {
  const { maxParamLength } = routerSettingsOf(app)
  const head = headLimitOf(app) ?? LARGEST_HEAD
  const protocol = app.initialConfig.https === undefined ? 'http' : 'https'
  return [
    ...(maxParamLength < LONGEST_SEGMENT
      ? [
          `routerOptions.maxParamLength is ${maxParamLength}. Use Fastify({ routerOptions: { maxParamLength: LONGEST_SEGMENT } }), which is ${LONGEST_SEGMENT}.`,
        ]
      : []),
    ...(head < LARGEST_HEAD
      ? [
          `${protocol}.maxHeaderSize is ${head}. Use Fastify({ ${protocol}: { maxHeaderSize: LARGEST_HEAD } }), which is ${LARGEST_HEAD}.`,
        ]
      : []),
  ]
}

/**
 * Checks that an application accepts the longest path of the API: it holds a device token of 4,096 characters, percent-encoded (F4).
 * @throws an Error that names each setting that is too small, with its fix
 */
export const checkServerSettings = (app: FastifyInstance): void => {
  const faults = faultsOf(app)
  if (faults.length > 0)
    throw new Error(
      [
        'almonerPlugin: the application does not accept paths with the longest device token.',
        ...faults,
        "Import the constants from '@almoner/adapters-http'.",
      ].join('\n'),
    )
}
