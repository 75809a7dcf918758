// Web Push. One process for all of it: starting one costs more than most of these suites.
import './webpush-destinations.suite.ts'
import './webpush-payload.suite.ts'
import './webpush-sender.suite.ts'
import './webpush-sending.suite.ts'
import './webpush-threads.suite.ts'
import './webpush-unifiedpush.suite.ts'
