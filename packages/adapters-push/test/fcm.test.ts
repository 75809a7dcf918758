// FCM. One process for all of it: starting one costs more than most of these suites.
import './fcm-access.suite.ts'
import './fcm-faults.suite.ts'
import './fcm-message.suite.ts'
import './fcm-outcomes.suite.ts'
import './fcm-send.suite.ts'
