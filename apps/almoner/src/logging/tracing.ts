import type { Logger } from 'pino'
import type { Tracing } from '../composition/server.ts'
import type { Environment } from '../config/read.ts'
import type { Form } from './start-tracing.ts'

/** The forms in which traces can be sent, by their names in the standard variables. */
const FORMS: ReadonlyArray<Form> = ['http/protobuf', 'http/json']

/** Returns whether to trace by the standard variables, or why an unsupported value prevents it. */
type TracingWanted =
  | { readonly kind: 'off' }
  | { readonly kind: 'on'; readonly form: Form }
  | { readonly kind: 'unknown'; readonly variable: string }

const OFF: TracingWanted = { kind: 'off' }

/** Variables of which the one about traces comes before the one about everything. */
const of = (environment: Environment, ...names: ReadonlyArray<string>) =>
  names.find((name) => (environment[name]?.trim() ?? '') !== '')

/** Reads the standard variables of OpenTelemetry. An exporter or an endpoint turns tracing on; its own packages read the others. */
export const tracingWanted = (environment: Environment): TracingWanted => {
  const value = (name: string | undefined) => environment[name ?? '']?.trim()
  if (value('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return OFF
  const exporter = of(environment, 'OTEL_TRACES_EXPORTER')
  const endpoint = of(environment, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT')
  if (exporter === undefined && endpoint === undefined) return OFF
  if (value(exporter) === 'none') return OFF
  if (exporter !== undefined && value(exporter) !== 'otlp') return { kind: 'unknown', variable: exporter }
  const protocol = of(environment, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL')
  const form = FORMS.find((one) => one === (value(protocol) ?? 'http/protobuf'))
  return form === undefined ? { kind: 'unknown', variable: protocol ?? '' } : { kind: 'on', form }
}

/** Begins to trace, if the standard variables say so. Otherwise nothing of it is loaded. */
export const openTracing = async (logger: Logger, environment: Environment): Promise<Tracing | undefined> => {
  const wanted = tracingWanted(environment)
  if (wanted.kind === 'unknown')
    logger.warn({ variable: wanted.variable }, 'nothing is traced: only otlp over http is known')
  if (wanted.kind !== 'on') return undefined
  const { startTracing } = await import('./start-tracing.ts')
  return startTracing(wanted.form, logger)
}
