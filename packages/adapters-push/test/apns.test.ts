// APNs. One process for all of it: starting one costs more than most of these suites.
import './apns-connection.suite.ts'
import './apns-outcomes.suite.ts'
import './apns-payload.suite.ts'
import './apns-token.suite.ts'
