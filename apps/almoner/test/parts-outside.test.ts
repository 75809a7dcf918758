// Servers whose parts are elsewhere: PostgreSQL, a bucket, a collector of traces; and what these may see. One process: starting one takes
// longer than some of the suites.
import './log-secrets.suite.ts'
import './postgres.suite.ts'
import './s3-serve.suite.ts'
import './tracing.suite.ts'
