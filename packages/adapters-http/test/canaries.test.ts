// What is secret, or of persons, and where it may turn up. One process for all of it: starting one costs seconds.
import './canary-faults.suite.ts'
import './logs-canary.suite.ts'
