/**
 * `@parse/node-apn` names the versions of Node that it was tried on, and not the one that comes with the packages, on which the tests run it.
 * Without this, the first thing that a newcomer reads is a warning.
 */
export const hooks = {
  readPackage: (manifest) =>
    manifest.name === '@parse/node-apn' ? { ...manifest, engines: { node: '>=20' } } : manifest,
}
