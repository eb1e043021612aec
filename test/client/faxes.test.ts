import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createClient, type FaxDocument } from '../../src/client/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { signInAs } from '../support/sandbox.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function documentOf(content: Uint8Array, opened: () => void): FaxDocument {
  return {
    fileName: 'scan.tiff',
    contentType: 'image/tiff',
    size: content.length,
    async *open() {
      opened();
      for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536);
    },
  };
}

it('streams the documents of a fax over a socket, and reads them again when the token was rejected first', async () => {
  const sandbox = await startSandbox();
  const token = await signInAs(sandbox, 'administrator');
  let opened = 0;
  const client = createClient({
    baseUrl: sandbox.url,
    token: { current: () => Promise.resolve('stale'), renew: () => Promise.resolve(token) },
  });
  try {
    const content = randomBytes(3_000_000);
    const fax = await client.faxes.send({ to: [{ phoneNumber: '+14155550100' }] }, [
      documentOf(content, () => (opened += 1)),
    ]);
    const source = fax.attachments.find(({ type }) => type === 'SourceDocument');
    // The reply to a fax has `filename` (FAX-13).
    expect(source).toMatchObject({ fileName: 'scan.tiff' });
    expect(source).not.toHaveProperty('filename');
    const reply = await fetch(source?.uri ?? '', { headers: { authorization: `Bearer ${token}` } });
    expect(sha256(new Uint8Array(await reply.arrayBuffer()))).toBe(sha256(content));
    expect(opened).toBe(2);
  } finally {
    await client.close();
    await sandbox.close();
  }
});
