// Notifications and their delivery. One process for all of it: starting one costs more than most of these suites.
import './notifications-create.suite.ts'
import './notifications-delivery.suite.ts'
import './notifications-list.suite.ts'
