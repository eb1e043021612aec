import { expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openOffice } from '../office.ts';

/** Answers as the sandbox does, but without the names of the extensions. */
const withoutNames =
  (send: HttpSend): HttpSend =>
  async (request) => {
    const reply = await send(request);
    if (!request.url.pathname.endsWith('/extension')) return reply;
    const body = JSON.parse(await reply.text()) as { readonly records: readonly object[] };
    const records = body.records.map((record) => ({ ...record, name: undefined }));
    return fakeReply({ status: 200, body: { ...body, records } });
  };

it('exports a matrix of queues without names, which can be applied again', async () => {
  const office = await openOffice(undefined, withoutNames);
  const exported = await office.run('queue export --matrix -o csv');
  expect(exported).toMatchObject({ exit: 0, stderr: '' });
  expect(exported.stdout.split('\r\n')[0]).toContain('201 (no name)');
  const again = await office.run('queue plan --file - --exact -o json', { stdin: exported.stdout });
  expect(again).toMatchObject({ exit: 0, stderr: expect.stringContaining('No changes') as string });
});
