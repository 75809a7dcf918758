// What editors see and do, except in the editor itself. One process: starting it, and its browser, takes three seconds.
import './notifications.suite.ts'
import './portfolio.suite.ts'
import './work.suite.ts'
