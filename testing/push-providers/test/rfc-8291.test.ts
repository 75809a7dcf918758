import { createECDH } from 'node:crypto'
import t from 'tap'
import { decrypt } from '../src/web-push/decrypt.ts'

t.test('RFC 8291, appendix A: the message of the example can be decrypted', async (t) => {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94', 'base64url')
  const auth = Buffer.from('BTBZMqHH6r4Tts7J_aSIgg', 'base64url')
  const body = Buffer.from(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    'base64url',
  )
  t.equal(decrypt(body, { pair, auth, restrictedTo: undefined }), 'When I grow up, I want to be a watermelon')
  t.equal(decrypt(body.subarray(0, -1), { pair, auth, restrictedTo: undefined }), undefined)
  t.equal(decrypt(Buffer.alloc(0), { pair, auth, restrictedTo: undefined }), undefined)
})
