import { expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { without } from '../../support/without-members.ts';
import { openOffice } from '../office.ts';

it('a message without a time does not prove that an earlier text was sent', async () => {
  let isLost = false;
  const losing =
    (send: HttpSend): HttpSend =>
    (request) =>
      isLost && request.method === 'POST'
        ? Promise.reject(new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined))
        : without('creationTime')(send)(request);
  const { run, sandbox } = await openOffice('administrator', losing);
  const send = 'sms send --to +16505550112 hello --yes';
  const now = (): number => sandbox.clock.now();
  expect(await run(send, { paths: temporaryPaths(), now })).toMatchObject({ exit: 0 });
  await sandbox.clock.advance(1_800_000);
  const paths = temporaryPaths();
  isLost = true;
  expect(await run(send, { paths, now })).toMatchObject({ exit: 14 });
  isLost = false;
  await sandbox.clock.advance(60_000);
  const { exit, stdout } = await run('outcome resolve --all --sole-sender -o json', { paths, now });
  expect({ exit, rows: JSON.parse(stdout) as unknown }).toMatchObject({
    exit: 14,
    rows: [{ state: 'unknown' }],
  });
  expect(stdout).not.toContain('undefined');
});
