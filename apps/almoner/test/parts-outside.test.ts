// Servers with PostgreSQL, a bucket, or a collector of traces, and which data these may see. One process: starting one takes
// longer than some of the suites.
import './log-secrets.suite.ts'
import './postgres.suite.ts'
import './s3-serve.suite.ts'
import './tracing.suite.ts'
