import { expect, it } from 'vitest';
import { run as canaries } from '../../scripts/proofs/canaries.ts';
import { run as redirects } from '../../scripts/proofs/redirects.ts';
import { run as smsFaults } from '../../scripts/proofs/sms-faults.ts';

it('rel:19 no token is sent to another origin by redirects and content addresses', async () => {
  for (const result of await redirects()) expect(result).toMatchObject({ holds: true });
});

it('rel:23 no text is sent twice over a faulty network, and every unknown outcome can be resolved', async () => {
  for (const result of await smsFaults('reduced')) expect(result).toMatchObject({ holds: true });
});

it('rel:18 no secret reaches output, trace, stored files or argv in a working day of 35 commands', async () => {
  for (const result of await canaries()) expect(result).toMatchObject({ holds: true });
});
