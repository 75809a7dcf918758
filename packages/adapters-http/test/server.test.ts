// The server around the API. One process for all of it: starting one costs more than most of these suites.
import './server-docs.suite.ts'
import './server-embedding.suite.ts'
import './server-headers.suite.ts'
import './server-health.suite.ts'
import './server-raw.suite.ts'
