import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { signingKey } from '../../../src/sandbox/oauth/signing-key.ts';

// A program can sign in to sandboxes of several versions of ucctl with one assertion. 42 is the default seed.
it.each([
  [42, 'ecc8bc2d3a35147671989127b427716e0bd35f948dcf51d3e7ff59ca91e82e9e'],
  [7, 'fa492fafa0d722c1bc70bc23308fea74666000d7d5943c3a90208c40bd11b0ff'],
])('the key of seed %i never changes', (seed, expected) => {
  const key = signingKey(seed).publicKey.export({ type: 'spki', format: 'der' });
  expect(createHash('sha256').update(key).digest('hex')).toBe(expected);
});
