import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canSetImmutable, setImmutable } from '../../support/immutable.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { userClient } from '../../sandbox/request.ts';
import { openOffice } from '../office.ts';

const caller = '+15555550177';

describe.skipIf(!canSetImmutable())('an attachment file that the system does not permit to delete', () => {
  it('does not stop the attachments of other mailboxes', async () => {
    const office = await openOffice('administrator');
    const { sandbox } = office;
    const paths = temporaryPaths();
    const run = (line: string) => office.run(line, { paths, now: () => sandbox.clock.now() });
    await sandbox.control('POST', '/triggers/voicemail', { to: '102', from: caller });
    await run('sync --extension 102,103 --media');
    const folder = join(paths.data, 'mailbox', 'default.sqlite.media');
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const file = join(folder, names.find((name) => /[0-9a-f]{64}$/.test(name)) ?? '');
    setImmutable(file, true);
    onTestFinished(() => {
      if (existsSync(file)) setImmutable(file, false);
    });
    const [voicemail] = sandbox.messages('171857102');
    const user = await userClient(sandbox, '102');
    await user.delete(`/account/~/extension/~/message-store/${voicemail?.id}?purge=true`);
    await sandbox.control('POST', '/triggers/voicemail', { to: '103', from: caller, seconds: 7 });
    await sandbox.clock.advance(60_000);
    const { exit, stdout, stderr } = await run('sync --extension 102,103 --media --concurrency 1 -o json');
    expect([exit, JSON.parse(stdout), stderr]).toMatchObject([
      12,
      [{ purged: 1 }, { media: 1, mediaErrors: 0 }],
      expect.stringContaining(`cannot use ${file}: permission denied`),
    ]);
    setImmutable(file, false);
    expect((await run('sync --extension 102,103 --media')).exit).toBe(0);
    expect(existsSync(file)).toBe(false);
  });
});
