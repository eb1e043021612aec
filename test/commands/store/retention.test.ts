import { describe, expect, it } from 'vitest';
import { deleteExpired, expiredData } from '../../../src/features/mirror/postgres/index.ts';
import { eventually } from '../../support/eventually.ts';
import { clockStore, postgresMissing } from '../../support/postgres.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const own = '+16505550110';
const day = 86_400_000;

/** An office whose messages and calls arrive 100, 50 and 0 days before the end, in an archive with the same clock. */
async function openCompany() {
  const office = await openOffice();
  const { sandbox } = office;
  const store = await clockStore(sandbox.clock.now());
  const paths = temporaryPaths();
  const run = async (words: readonly string[]) => {
    await store.setClock(sandbox.clock.now());
    return office.run([...words, '--store', store.url, '-o', 'json'], {
      // A token is valid for an hour.
      env: { UCCTL_TOKEN: await signInAs(sandbox, 'administrator') },
      paths,
      now: () => sandbox.clock.now(),
    });
  };
  const json = async (words: readonly string[]) => {
    const result = await run(words);
    expect([words, result.exit, result.stderr]).toEqual([words, 0, expect.anything()]);
    return JSON.parse(result.stdout) as never;
  };
  const archive = async (): Promise<void> => {
    await json(['sync', '--extension', '~,102', '--media', '--full']);
    await json(['calllog', 'sync', '--full']);
  };
  for (const age of [100, 50, 0]) {
    await sandbox.control('POST', '/triggers/sms', {
      to: own,
      from: `+15555551${100 + age}`,
      text: `Age ${age}`,
    });
    await sandbox.control('POST', '/triggers/sms', { to: '102', from: '+15555550177', text: `Other ${age}` });
    await sandbox.control('POST', '/triggers/voicemail', { to: '102', from: '+15555550188' });
    await sandbox.control('POST', '/triggers/call', { to: own, from: '+15555550199' });
    await sandbox.clock.advance(600_000);
    await archive();
    await sandbox.clock.advance(50 * day);
  }
  return {
    ...store,
    sandbox,
    run,
    json,
    archive,
    failure: async (words: readonly string[]) => {
      const { exit, stderr } = await run(words);
      const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
        readonly error: { readonly code: string; readonly message: string };
      };
      return { exit, code: error.code, message: error.message };
    },
    texts: async (): Promise<readonly string[]> => {
      const rows = await store.db.query<{ text: string }>(
        "select subject as text from message where type = 'SMS' order by creation_time, subject",
      );
      return rows.map(({ text }) => text);
    },
    auditLog: () =>
      store.db.query<{ action: string; subject: string; count: number }>(
        'select action, subject, count from audit order by audit_id',
      ),
  };
}

describe.skipIf(postgresMissing())('retention rules', () => {
  it('delete what is too old, once, with a line in the audit log', async () => {
    const { run, json, failure, texts, archive, auditLog, db, sandbox } = await openCompany();
    expect(await json(['store', 'retention'])).toEqual([]);
    expect(await json(['store', 'expire', '--yes'])).toEqual([]);
    const rules = ['store', 'retention', '--keep', 'SMS=120d,voicemail=20w', '--keep', 'Call=70d'];
    expect(await json(rules)).toMatchObject([
      { type: 'Call', keepDays: 70, items: 2, onHold: 0 },
      { type: 'SMS', keepDays: 120, items: 2 },
      { type: 'VoiceMail', keepDays: 140, items: 1 },
    ]);
    const before = await texts();
    expect(before).toHaveLength(6);
    const planned = await run(['store', 'expire', '--dry-run']);
    expect(planned.stderr).toContain('SMS: 2 items from before');
    expect(JSON.parse(planned.stdout)).toMatchObject([
      { deleted: false },
      { deleted: false },
      { deleted: false },
    ]);
    expect(await failure(['store', 'expire'])).toMatchObject({ exit: 9 });
    expect(await texts()).toEqual(before);
    expect(await json(['store', 'expire', '--yes'])).toMatchObject([
      { type: 'Call', items: 2, deleted: true },
      { type: 'SMS', items: 2, deleted: true },
      { type: 'VoiceMail', items: 1, attachments: 1, deleted: true },
    ]);
    expect(await texts()).toEqual(['Age 50', 'Other 50', 'Age 0', 'Other 0']);
    expect(await db.query('select count(*)::int as n from media')).toEqual([{ n: 2 }]);
    // The service still has everything: a full sync copies none of it again, and verify does not miss it.
    await archive();
    expect(await texts()).toEqual(['Age 50', 'Other 50', 'Age 0', 'Other 0']);
    expect(await db.query('select count(*)::int as n from call_record')).toEqual([{ n: 1 }]);
    await json(['sync', 'verify', '--whole']);
    expect(await json(['store', 'expire', '--yes'])).toMatchObject([
      { items: 0 },
      { items: 0 },
      { items: 0 },
    ]);
    await sandbox.clock.advance(30 * day);
    expect(
      await json(['store', 'retention', '--forever', 'SMS,Call', '--keep', 'VoiceMail=7y']),
    ).toMatchObject([{ type: 'VoiceMail', keepDays: 2562, items: 0 }]);
    expect(await texts()).toHaveLength(4);
    const log = await auditLog();
    expect(log.map(({ action, count }) => `${action} ${count}`)).toEqual([
      'rule 0',
      'rule 0',
      'rule 0',
      'retention 2',
      'retention 2',
      'retention 1',
      'retention 0',
      'retention 0',
      'retention 0',
      'rule 0',
      'rule 0',
      'rule 0',
    ]);
    expect(log[3]?.subject).toMatch(/^Call from before 20\d\d-.*Z \(rule: retain for 70 days\)$/);
  });

  it('delete nothing that a rule retains by now, which changed after the preview', async () => {
    const { json, texts, auditLog, db } = await openCompany();
    await json(['store', 'retention', '--keep', 'SMS=1d,Call=1d']);
    const due = await expiredData(db);
    await json(['store', 'retention', '--forever', 'Call', '--keep', 'SMS=7y']);
    const before = [await texts(), await auditLog()];
    for (const data of due) expect(await deleteExpired(db, data, new Date().toISOString())).toBeUndefined();
    expect([await texts(), await auditLog()]).toEqual(before);
    expect(due.map(({ items }) => items > 0)).toEqual([true, true]);
    await json(['store', 'retention', '--keep', 'SMS=1d']);
    expect((await json(['store', 'expire', '--yes'])) as object).toMatchObject([
      { type: 'SMS', deleted: true },
    ]);
  });

  it('spare what a legal hold keeps, as do erasure and purging', async () => {
    const { run, json, failure, texts, sandbox, db, auditLog } = await openCompany();
    await json(['store', 'retention', '--keep', 'SMS=1d,VoiceMail=1d,Call=1d']);
    const hold = ['store', 'hold', '--add', '102,+15555551200', '--reason', 'case 17'];
    const holds = await json(hold);
    expect(holds).toMatchObject([
      { kind: 'mailbox', reason: 'case 17' },
      { kind: 'number', value: '+15555551200' },
    ]);
    expect(await json(hold)).toEqual(holds);
    const everything = await texts();
    expect(await json(['store', 'retention'])).toMatchObject([
      { type: 'Call', items: 3, onHold: 0 },
      { type: 'SMS', items: 2, onHold: 4 },
      { type: 'VoiceMail', items: 0, onHold: 3 },
    ]);
    await json(['store', 'expire', '--yes']);
    expect(await texts()).toEqual(
      everything.filter((text) => text.startsWith('Other') || text === 'Age 100'),
    );
    const planned = await run(['sync', 'erase', '--phone', '+15555551200', '--dry-run']);
    expect(planned.stderr).toContain(
      'a legal hold retains all data with this number, so nothing can be erased',
    );
    expect(planned.stderr).toContain('to show the legal holds: ucctl store hold');
    expect(JSON.parse(planned.stdout)).toMatchObject({ erased: false, hold: 'all data' });
    expect(await json(['sync', 'erase', '--phone', '+15555550177', '--dry-run'])).toMatchObject({
      hold: expect.stringMatching(/^[1-9]\d* messages? and 0 call records$/) as string,
    });
    expect(await failure(['sync', 'erase', '--phone', '+15555551200', '--yes'])).toMatchObject({
      exit: 9,
      code: 'legal_hold',
    });
    expect(await failure(['sync', 'erase', '--phone', '+15555550177', '--yes'])).toMatchObject({
      exit: 9,
      code: 'legal_hold',
    });
    // The user deletes everything at the service.
    const listed = await db.query<{ mailbox: string; id: string }>(
      "select extension_id as mailbox, message_id as id from message where type = 'SMS'",
    );
    const before = await texts();
    const authorization = `Bearer ${await signInAs(sandbox, 'administrator')}`;
    for (const { mailbox, id } of listed) {
      const path = `/restapi/v1.0/account/~/extension/${mailbox}/message-store/${id}?purge=true`;
      const request = new Request(`${sandbox.url}${path}`, { method: 'DELETE', headers: { authorization } });
      expect((await sandbox.fetch(request)).status).toBe(204);
    }
    await json(['sync', '--extension', '~,102', '--on-delete', 'purge', '--full']);
    expect(await texts()).toEqual(before);
    await json(['store', 'hold', '--release', '102,+1 (555) 555-1200']);
    expect(await json(['sync', 'erase', '--phone', '+15555551200', '--dry-run'])).toMatchObject({
      hold: null,
    });
    await json(['store', 'expire', '--yes']);
    expect(await texts()).toEqual([]);
    expect((await auditLog()).filter(({ action }) => ['hold', 'release'].includes(action))).toMatchObject([
      { action: 'hold', subject: expect.stringMatching(/^mailbox \d+: case 17$/) as string },
      { action: 'hold', subject: 'one phone number: case 17' },
      { action: 'release' },
      { action: 'release', subject: 'one phone number' },
    ]);
  });

  it('must be valid', async () => {
    const { failure } = await openCompany();
    for (const [words, exit, text] of [
      [['retention', '--keep', 'Letter=1y'], 2, '"Letter" is not a valid type'],
      [['retention', '--keep', 'SMS=1h'], 2, '"1h" is not a valid age'],
      [['retention', '--keep', 'SMS=0d'], 2, '"0d" is not a valid age'],
      [['retention', '--keep', 'SMS=1d', '--forever', 'SMS'], 2, 'has more than one rule'],
      [['hold', '--add', '102'], 2, '--add requires --reason'],
      [['hold', '--add', '999999', '--reason', 'x'], 3, 'mailbox "999999" not found'],
      [
        ['hold', '--add', '+1 (555) 555-0112-555555', '--reason', 'x'],
        2,
        '--add: "+1 (555) 555-0112-555555" is not a valid',
      ],
      [['trim', '--older-than', 'x'], 2, '"x" is not a valid age'],
      [['trim', '--forget', 'nobody'], 3, 'reader "nobody" not found'],
    ] as const) {
      const error = await failure(['store', ...words]);
      expect([words, error.exit, error.message]).toEqual([
        words,
        exit,
        expect.stringContaining(text) as string,
      ]);
    }
  });
});

describe.skipIf(postgresMissing())('trimming the change feed', () => {
  it('deletes only what is old and read by every known reader', async () => {
    const { json, failure, db, run } = await openCompany();
    const count = async (): Promise<number> => {
      const [row] = await db.query<{ n: number }>('select count(*)::int as n from message_change');
      return row?.n ?? 0;
    };
    const at = async (place: number): Promise<readonly [string, number]> => {
      const rows = await db.query<{ tx: string; id: number }>(
        'select tx::text as tx, change_id as id from v_change order by v_change.tx, change_id',
      );
      const row = rows.at(place);
      return [row?.tx ?? '0', row?.id ?? 0];
    };
    const advance = async (reader: string, place: readonly [string, number]): Promise<void> => {
      await db.query('select feed_advance($1, $2::text::xid8, $3)', [reader, ...place]);
    };
    expect(await count()).toBe(9);
    // Changes are final when all transactions of the server that are older have ended, also those of other tests.
    await eventually(async () =>
      expect(await db.query('select count(*)::int as n from v_change')).toEqual([{ n: 9 }]),
    );
    const first = await at(0);
    await advance('report', first);
    await advance('backup', await at(5));
    // Everything is older than 10 days, except nothing: the last change is 50 days old.
    const trimmed = await run(['store', 'trim', '--older-than', '10d', '--yes']);
    expect(JSON.parse(trimmed.stdout)).toMatchObject({
      trimmed: true,
      deleted: 1,
      remaining: 8,
      blockedBy: 'report',
    });
    await advance('report', await at(-1));
    const plan = ['store', 'trim', '--older-than', '10d', '--dry-run'];
    expect(await json(plan)).toMatchObject({ trimmed: false, deleted: 5, blockedBy: 'backup' });
    expect(await count()).toBe(8);
    expect(await json(['store', 'trim', '--older-than', '60d', '--forget', 'backup', '--yes'])).toMatchObject(
      {
        deleted: 5,
        remaining: 3,
      },
    );
    expect(await json(['store', 'trim', '--older-than', '10d', '--yes'])).toMatchObject({
      deleted: 3,
      remaining: 0,
    });
    // A reader that lags behind the deleted part must not continue as if nothing were missing.
    await expect(advance('late', first)).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringContaining('were deleted by "ucctl store trim"') as string,
    });
    expect(await failure(['store', 'trim', '--forget', 'backup'])).toMatchObject({ exit: 3 });
  });
});
