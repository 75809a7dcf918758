// Idempotency keys, which make a POST safe to repeat.
import './idempotency.suite.ts'
import './idempotency-keys.suite.ts'
import './lost-commits.suite.ts'
import './idempotency-replays.suite.ts'
