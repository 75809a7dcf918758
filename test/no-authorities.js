// Test processes trust the authorities of their tests only: parsing the 150 public ones takes 20 ms for each provider that a test opens.
import { setDefaultCACertificates } from 'node:tls'

setDefaultCACertificates([])
