import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPrivateDatabase } from '../../../src/platform/sqlite.ts';
import { userClient } from '../../sandbox/request.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { without } from '../../support/without-members.ts';
import { openOffice } from '../office.ts';

/** Two users who use the same copy. The replies of the service have no addresses, which the published form permits. */
async function openCopy() {
  const { run, sandbox } = await openOffice('102', without('uri'));
  const paths = temporaryPaths();
  const other = await userClient(sandbox, '103');
  await other.post('/account/~/extension/~/sms', {
    from: { phoneNumber: '+16505550113' },
    to: [{ phoneNumber: '+16505550112' }],
    text: 'for 102',
  });
  await sandbox.clock.advance(60_000);
  const token = { UCCTL_TOKEN: await signInAs(sandbox, '103') };
  return {
    sync: () => run('sync -o json', { paths }),
    syncAsOther: () => run('sync --full --on-delete purge -o json', { paths, env: token }),
    rows: (sql: string) => {
      const db = openPrivateDatabase(join(paths.data, 'mailbox', 'default.sqlite'));
      const found = db.prepare(sql).all();
      db.close();
      return found;
    },
  };
}

it("stores the user's mailbox by the extension of the user if no reply names it", async () => {
  const { sync, rows } = await openCopy();
  expect(await sync()).toMatchObject({ exit: 0 });
  expect(rows("SELECT extension_id AS id FROM mailbox WHERE extension_id = '~'")).toEqual([]);
  expect(rows('SELECT count(*) AS texts FROM message')).toEqual([{ texts: 1 }]);
});

it('rejects the sync of another user into the copy', async () => {
  const { sync, syncAsOther, rows } = await openCopy();
  await sync();
  const { exit, stderr } = await syncAsOther();
  expect({ exit, stderr }).toMatchObject({ exit: 11 });
  expect(stderr).toContain('this local mailbox copy belongs to extension');
  expect(rows('SELECT count(*) AS texts FROM message')).toEqual([{ texts: 1 }]);
});
