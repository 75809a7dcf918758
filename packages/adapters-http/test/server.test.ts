// The server around the API. One process for all of it: starting one costs more than most of these suites.
import './cache-fresh.suite.ts'
import './cache-kept.suite.ts'
import './server-docs.suite.ts'
import './server-embedding.suite.ts'
import './server-headers.suite.ts'
import './server-health.suite.ts'
import './server-raw.suite.ts'
