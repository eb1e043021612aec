import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { userClient } from '../../sandbox/request.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

/** A mailbox copy with the texts `one` and `two`, of which the service has deleted `one`, and a program that changes it. */
async function openCopy() {
  const office = await openOffice('102');
  const { sandbox } = office;
  for (const text of ['one', 'two'])
    await sandbox.control('POST', '/triggers/sms', { to: '102', from: '+15555550100', text });
  const paths = temporaryPaths();
  const run = (line: string) => office.run(line, { paths, now: () => sandbox.clock.now() });
  await run('sync');
  const user = await userClient(sandbox, '102');
  const [one, two] = sandbox.messages('171857102');
  const remove = async (id: string | number | undefined): Promise<void> => {
    await user.delete(`/account/~/extension/~/message-store/${id}`);
    await sandbox.clock.advance(60_000);
  };
  await remove(one?.id);
  await run('sync');
  const change = (sql: string): void => {
    const db = openDatabase(join(paths.data, 'mailbox', 'default.sqlite'));
    db.exec(sql);
    db.close();
  };
  return { run, change, sandbox, deleteTwo: () => remove(two?.id) };
}

describe('sync --full', () => {
  it('repairs the full-text index of a message whose columns are the same', async () => {
    const { run, change } = await openCopy();
    change(`INSERT INTO message_fts (message_fts, rowid, subject, sender, recipients, marks)
      SELECT 'delete', pk, subject, sender, recipients, marks FROM message_words WHERE subject = 'two'`);
    const verified = await run('sync verify --sample 0');
    expect([verified.exit, verified.stderr]).toEqual([11, expect.stringContaining('full text 1')]);
    const repaired = await run('sync --full -o json');
    expect(JSON.parse(repaired.stdout)).toMatchObject([{ changed: 0 }]);
    expect(repaired.stderr).toContain(
      'The full-text index differed from the messages, and was written again.',
    );
    expect((await run('sync verify --sample 0')).exit).toBe(0);
    expect(JSON.parse((await run('sync search two -o json')).stdout)).toMatchObject([{ text: 'two' }]);
  });

  it('repairs the columns of a message that the service does not return', async () => {
    const { run, change } = await openCopy();
    change("UPDATE message SET from_number = 'x', type = 'Fax' WHERE subject = 'one'");
    const verified = await run('sync verify --sample 0 -o json');
    expect(JSON.parse(verified.stdout)).toMatchObject([
      { check: 'database', checked: 2, wrong: 1 },
      { check: 'full text', checked: 2 },
      { check: 'attachments' },
    ]);
    const repaired = await run('sync --full -o json');
    expect([repaired.stderr, JSON.parse(repaired.stdout)]).toMatchObject([
      'The full-text index differed from the messages, and was written again.\nRepaired the columns of 1 message.\n',
      [{ changed: 0, columnsRepaired: 1 }],
    ]);
    expect((await run('sync verify --sample 0')).exit).toBe(0);
    expect(JSON.parse((await run('sync search one type:sms is:deleted -o json')).stdout)).toMatchObject([
      { text: 'one' },
    ]);
  });

  it('repairs the columns of messages of other types once', async () => {
    const { run, change } = await openCopy();
    change("UPDATE message SET from_number = 'x' WHERE subject = 'one'");
    const repaired = await run('sync --full --type Fax,Pager -o json');
    expect(JSON.parse(repaired.stdout)).toMatchObject([
      { changed: 0, columnsRepaired: 1 },
      { changed: 0, columnsRepaired: 0 },
    ]);
    expect((await run('sync verify --sample 0')).exit).toBe(0);
  });

  it('counts a repaired message once if the service returns it', async () => {
    const { run, change } = await openCopy();
    change("UPDATE message SET from_number = 'x' WHERE subject = 'two'");
    const repaired = await run('sync --full -o json');
    expect(JSON.parse(repaired.stdout)).toMatchObject([
      { received: 1, changed: 0, unchanged: 1, columnsRepaired: 1 },
    ]);
  });

  it('counts repaired messages of a mailbox that it cannot read', async () => {
    const { run, change, sandbox } = await openCopy();
    change("UPDATE message SET from_number = 'x' WHERE subject = 'one'");
    await sandbox.control('POST', '/faults', { kind: 'status', operation: 'syncMessages', status: 403 });
    const repaired = await run('sync --full -o json');
    expect([repaired.exit, JSON.parse(repaired.stdout)]).toMatchObject([5, [{ columnsRepaired: 1 }]]);
  });

  it('does not repair columns if it was not stated', async () => {
    const { run, change } = await openCopy();
    change("UPDATE message SET from_number = 'x' WHERE subject = 'one'");
    const copied = await run('sync --type Fax -o json');
    expect(JSON.parse(copied.stdout)).toMatchObject([{ syncType: 'FSync', changed: 0 }]);
    expect(copied.stdout).not.toContain('columnsRepaired');
    expect((await run('sync verify --sample 0')).exit).toBe(11);
  });

  it('repairs missing rows of the full-text index before it changes their messages', async () => {
    const { run, change, deleteTwo } = await openCopy();
    change("INSERT INTO message_fts (message_fts) VALUES ('delete-all')");
    await deleteTwo();
    const repaired = await run('sync --full -o json');
    expect([repaired.exit, repaired.stderr]).toEqual([
      0,
      expect.stringContaining('The full-text index differed from the messages, and was written again.'),
    ]);
    expect((await run('sync verify --sample 0')).exit).toBe(0);
  });

  it.each([
    ['the index', "INSERT INTO message_fts (message_fts) VALUES ('delete-all')"],
    ['columns', "UPDATE message SET to_names = 'a b c d e f g h i j k l m n o p q r s t u v w x y z'"],
  ])('is not needed to copy a change after another program changed %s', async (_, sql) => {
    const { run, change, deleteTwo } = await openCopy();
    change(sql);
    await deleteTwo();
    const copied = await run('sync -o json');
    expect([copied.exit, copied.stderr, JSON.parse(copied.stdout)]).toMatchObject([
      0,
      'The full-text index differed from the messages, and was written again.\n',
      [{ syncType: 'ISync', deleted: 1 }],
    ]);
    expect(JSON.parse((await run('sync search is:deleted -o json')).stdout)).toHaveLength(2);
    expect((await run('sync')).stderr).toBe('');
  });

  it('is not needed to erase a number after another program emptied the index', async () => {
    const { run, change } = await openCopy();
    change("INSERT INTO message_fts (message_fts) VALUES ('delete-all')");
    const erased = await run('sync erase --phone +15555550100 --yes');
    expect([erased.exit, erased.stderr]).toEqual([0, expect.stringContaining('and was written again.')]);
    expect(JSON.parse((await run('sync verify --sample 0 -o json')).stdout)).toMatchObject([
      { checked: 0, wrong: 0 },
      { wrong: 0 },
      { wrong: 0 },
    ]);
  });

  it('changes nothing in a copy without differences', async () => {
    const { run } = await openCopy();
    const { exit, stdout, stderr } = await run('sync --full -o json');
    expect([exit, stderr, JSON.parse(stdout)]).toMatchObject([0, '', [{ changed: 0, vanished: 0 }]]);
  });
});
