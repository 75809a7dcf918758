// Collections and ETags. One process for all of it: starting one costs more than most of these suites.
import './library-etags.suite.ts'
import './library-list.suite.ts'
import './library-walk.suite.ts'
