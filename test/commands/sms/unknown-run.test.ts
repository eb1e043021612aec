import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { clockStore, postgresMissing } from '../../support/postgres.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import type { RunOptions } from '../../support/run-ucctl.ts';
import { openLiveOffice } from '../live-office.ts';

const send = 'sms send -f list.csv --template Hello --from +16505550110 --yes';
/** Sends the first text of the list alone. */
const single = 'sms send --to +16505551000 --from +16505550110 Hello --yes';
const listOf = (...numbers: readonly string[]) =>
  `to\n${numbers.map((one) => `+165055510${one}\n`).join('')}`;

/**
 * A finished run of three texts; the answers of the first `lost` are lost after the service got them. Before the run, one
 * text of the list is sent alone, if `isRepeated` is set.
 */
async function openDesk({ lost = 2, isRepeated = false, isShared = false } = {}) {
  let left = 0;
  const loses =
    (inner: HttpSend): HttpSend =>
    async (request) => {
      const reply = await inner(request);
      if (request.method === 'POST' && request.url.pathname.endsWith('/sms') && (left -= 1) >= 0) {
        throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
      }
      return reply;
    };
  const office = await openLiveOffice('administrator', {}, loses);
  const cwd = temporaryFolder();
  const list = (...numbers: readonly string[]): void =>
    writeFileSync(join(cwd, 'list.csv'), listOf(...numbers));
  list('00', '01', '02');
  const store = isShared ? await clockStore(office.sandbox.clock.now()) : undefined;
  const { clock } = office.sandbox;
  const shared: RunOptions = {
    env: { UCCTL_STORE: store?.url },
    async sleep(milliseconds) {
      await clock.advance(milliseconds);
      await store?.setClock(clock.now());
    },
  };
  const at: RunOptions = { cwd, paths: temporaryPaths(), ...(store && shared) };
  const run = (line: string, more: RunOptions = {}) => office.run(line, { ...at, ...more });
  const messages = () => office.sandbox.messages(171_857_100).length;
  if (isRepeated) {
    await run(single);
    await office.sandbox.clock.advance(120_000);
  }
  left = lost;
  const before = messages();
  expect(before).toBe(isRepeated ? 1 : 0);
  const first = await run(send);
  expect(first.exit).toBe(14);
  const texts = () => messages() - before;
  expect(texts()).toBe(3);
  const ids = async () => (await run('outcome list --state unknown --fields id')).stdout.trim().split('\n');
  return {
    office,
    run,
    list,
    texts,
    ids,
    /** Loses the replies to the next texts. */
    lose: (count: number): void => void (left = count),
    /** Changes the journal of sends of this machine. */
    changeOutcomes(sql: string): void {
      const outcomes = openDatabase(join(at.paths?.state ?? '', 'outcomes.db'));
      outcomes.exec(sql);
      outcomes.close();
    },
  };
}

describe('a list of texts that the policy stops', () => {
  it('names the policy, not the service, as the reason', async () => {
    let sent = 0;
    const office = await openLiveOffice('administrator', {}, (inner) => async (request) => {
      const reply = await inner(request);
      const isText = request.method === 'POST' && request.url.pathname.endsWith('/sms');
      if (isText && (sent += 1) === 1) await office.sandbox.clock.advance(3_600_000);
      return reply;
    });
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'list.csv'), listOf('00', '01', '02'));
    const env = { UCCTL_QUIET_HOURS: '10:00-11:00 UTC' };
    const { exit, stderr } = await office.run(send, { cwd, env });
    expect([exit, stderr]).toEqual([8, expect.stringContaining('quiet hours: 10:00-11:00 UTC; 1 of 3')]);
    expect(stderr).not.toContain('stopped replying');
  });
});

describe.each(['this machine', 'the store'] as const)('with the journal of %s, a text', (place) => {
  const isShared = place === 'the store';
  describe.skipIf(isShared ? postgresMissing() : undefined)('whose process was killed', () => {
    it('before the text was in the journal can be resolved, and is sent by --resume', async () => {
      let posts = 0;
      const office = await openLiveOffice('administrator', {}, (inner) => (request) => {
        const isText = request.method === 'POST' && request.url.pathname.endsWith('/sms');
        // The second text does not reach the service.
        if (isText && (posts += 1) === 2)
          throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
        return inner(request);
      });
      const { clock } = office.sandbox;
      const store = isShared ? await clockStore(clock.now()) : undefined;
      const at = {
        cwd: temporaryFolder(),
        paths: temporaryPaths(),
        env: store ? { UCCTL_STORE: store.url } : {},
      };
      writeFileSync(join(at.cwd, 'list.csv'), listOf('00', '01', '02'));
      const run = (line: string) => office.run(line, at);
      const texts = () => office.sandbox.messages(171_857_100).length;
      expect((await run(send)).exit).toBe(14);
      const runs = openDatabase(join(at.paths.state, 'runs.db'));
      const kill = "UPDATE item SET status = 'sent', time = time + 1000 WHERE status = 'unknown'";
      runs.exec(`${kill}; UPDATE run SET state = 'open'`);
      runs.close();
      const forget = "DELETE FROM outcome WHERE state = 'unknown'";
      if (store) await store.db.run(forget);
      else {
        const outcomes = openDatabase(join(at.paths.state, 'outcomes.db'));
        outcomes.exec(forget);
        outcomes.close();
      }
      const resume = 'sms send --resume last --yes';
      await run('sms send --resume last --dry-run');
      expect((await run('outcome list --state unknown --fields id')).stdout.trim()).toBe('');
      expect((await run(resume)).exit).toBe(14);
      expect((await run(resume)).exit).toBe(14);
      const unknown = await run('outcome list --state unknown -o json');
      const startedAt = new Date(clock.now() + 1000).toISOString();
      expect(JSON.parse(unknown.stdout)).toMatchObject([{ kind: 'sms', to: '+1********01', startedAt }]);
      await clock.advance(60_000);
      await store?.setClock(clock.now());
      const resolved = await run('outcome resolve --all -o json');
      expect(JSON.parse(resolved.stdout)).toMatchObject([{ state: 'not-sent' }]);
      expect(texts()).toBe(2);
      expect((await run(resume)).exit).toBe(0);
      expect(texts()).toBe(3);
      expect((await run(resume)).exit).toBe(0);
      expect(texts()).toBe(3);
    });
  });
});

describe('a list of texts whose finished run has unknown outcomes', () => {
  it('is not sent again: exit 11 with both next steps', async () => {
    const desk = await openDesk();
    expect((await desk.run('history list --fields state')).stdout.trim()).toBe('done');
    for (const more of ['', ' --dry-run']) {
      const { exit, stderr } = await desk.run(`${send}${more}`);
      expect([exit, desk.texts()]).toEqual([11, 3]);
      expect(stderr).toContain('may already have sent 2 of 3 texts, but got no clear reply');
      expect(stderr).toContain('sending these texts again could deliver them twice');
      expect(stderr).toContain('ucctl outcome resolve --all');
      expect(stderr).toContain('--new-run');
    }
  });

  it('--new-run sends it, and afterwards only the new run counts', async () => {
    const desk = await openDesk();
    expect([(await desk.run(`${send} --new-run`)).exit, desk.texts()]).toEqual([0, 6]);
    expect([(await desk.run(send)).exit, desk.texts()]).toEqual([0, 9]);
    expect((await desk.run('history list --fields state')).stdout.trim()).toBe('done\ndone\ndone');
  });

  it('still blocks after a --new-run that sent nothing', async () => {
    const desk = await openDesk();
    const failed = await desk.run(`${send} --new-run --results list.csv/results.csv`);
    expect([failed.exit, desk.texts()]).toEqual([12, 3]);
    expect((await desk.run('history list --fields state')).stdout.trim()).toBe('abandoned\ndone');
    expect([(await desk.run(send)).exit, desk.texts()]).toEqual([11, 3]);
  });

  it('rows with a known outcome do not block, nor do those of another list', async () => {
    const desk = await openDesk();
    desk.list('02', '03');
    expect([(await desk.run(send)).exit, desk.texts()]).toEqual([0, 5]);
    desk.list('03', '01');
    expect([(await desk.run(send)).exit, desk.texts()]).toEqual([11, 5]);
  });

  it.each<[string, string, number]>([
    ['sent', 'this machine', 3],
    ['not-sent', 'this machine', 1],
    ...(postgresMissing() ? [] : ([['not-sent', 'the store', 1]] as [string, string, number][])),
  ])('is sent again once all are resolved as %s, with the journal of %s', async (state, place, sent) => {
    const desk = await openDesk({ isShared: place === 'the store' });
    const [one = '', other = ''] = await desk.ids();
    expect((await desk.run(`outcome resolve ${one} --as ${state}`)).exit).toBe(0);
    const half = await desk.run(send);
    expect([half.exit, half.stderr]).toEqual([
      11,
      expect.stringContaining('may already have sent 1 of 3 texts'),
    ]);
    expect((await desk.run(`outcome resolve ${other} --as ${state}`)).exit).toBe(0);
    const again = await desk.run(send);
    expect([again.exit, desk.texts()]).toEqual([0, 6]);
    expect(again.stderr).toContain(`sent ${sent} of 3 texts of this list`);
  });

  it('is completed by --resume, which sends only what was not sent', async () => {
    const desk = await openDesk();
    const [one = '', other = ''] = await desk.ids();
    const resume = 'sms send --resume last --yes -o json';
    const early = await desk.run(resume);
    expect([early.exit, early.stderr]).toEqual([14, expect.stringMatching(/resolve --all; then, to resume/)]);
    expect(early.stderr).toContain('has no remaining changes');
    expect((await desk.run(`outcome resolve ${one} --as sent`)).exit).toBe(0);
    expect((await desk.run(`outcome resolve ${other} --as not-sent`)).exit).toBe(0);
    const declined = await desk.run('sms send --resume last --no-input');
    expect([declined.exit, declined.stderr]).toEqual([9, expect.stringContaining('1 text left')]);
    // The text is planned, so no other run may send it.
    expect((await desk.run(send)).stderr).toContain('which is not finished');
    expect(desk.texts()).toBe(3);
    const resumed = await desk.run(resume);
    expect([resumed.exit, desk.texts()]).toEqual([0, 4]);
    const results = JSON.parse(resumed.stdout) as readonly { status: string; message?: string }[];
    expect(results.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
    expect(results.map(({ message }) => message)).toContain(`sent according to outcome ${one}`);
    expect((await desk.run('history list --fields state')).stdout.trim()).toBe('done');
    expect([(await desk.run(resume)).exit, desk.texts()]).toEqual([0, 4]);
  });

  it('has another outcome than the same text that was sent before the run', async () => {
    const desk = await openDesk({ lost: 1, isRepeated: true });
    const [id = ''] = await desk.ids();
    expect((await desk.run(`outcome resolve ${id} --as not-sent`)).exit).toBe(0);
    expect([(await desk.run('sms send --resume last --yes')).exit, desk.texts()]).toEqual([0, 4]);
  });

  it('has another outcome than the same text that was sent after the run', async () => {
    const desk = await openDesk({ lost: 1 });
    const [id = ''] = await desk.ids();
    await desk.office.sandbox.clock.advance(120_000);
    expect(await desk.run(single)).toMatchObject({ exit: 0 });
    expect((await desk.run(`outcome resolve ${id} --as not-sent`)).exit).toBe(0);
    expect([(await desk.run('sms send --resume last --yes')).exit, desk.texts()]).toEqual([0, 5]);
  });

  it('stays unknown without its record, although the same text was sent after the run', async () => {
    const desk = await openDesk({ lost: 1 });
    desk.changeOutcomes("DELETE FROM outcome WHERE state = 'unknown'");
    await desk.office.sandbox.clock.advance(120_000);
    expect(await desk.run(single)).toMatchObject({ exit: 0 });
    expect([(await desk.run('sms send --resume last --yes')).exit, desk.texts()]).toEqual([14, 4]);
    expect(await desk.ids()).toHaveLength(1);
  });

  it('is completed although the clock of its journal was behind', async () => {
    const desk = await openDesk({ lost: 1 });
    const [id = ''] = await desk.ids();
    expect((await desk.run(`outcome resolve ${id} --as not-sent`)).exit).toBe(0);
    desk.changeOutcomes('UPDATE outcome SET started_at = started_at - 30000');
    expect([(await desk.run('sms send --resume last --yes')).exit, desk.texts()]).toEqual([0, 4]);
  });

  it.each([
    ['was lost', "DELETE FROM outcome WHERE state = 'unknown'"],
    ['was not updated', "UPDATE outcome SET state = 'sending', ended_at = NULL WHERE state = 'unknown'"],
  ])('blocks if its record in the journal of sends %s', async (_, sql) => {
    const desk = await openDesk({ lost: 1, isRepeated: true });
    desk.changeOutcomes(sql);
    // The same text alone, before and after the run, proves nothing about the text of the run.
    await desk.office.sandbox.clock.advance(60_000);
    expect(await desk.run(single)).toMatchObject({ exit: 0 });
    expect([(await desk.run(send)).exit, desk.texts()]).toEqual([11, 4]);
  });

  it('is not sent by --resume if its record in the journal of sends was not updated', async () => {
    const desk = await openDesk({ lost: 1 });
    desk.changeOutcomes("UPDATE outcome SET state = 'sending', ended_at = NULL WHERE state = 'unknown'");
    expect([(await desk.run('sms send --resume last --yes')).exit, desk.texts()]).toEqual([14, 3]);
  });

  it('blocks for 30 days without a record in the journal of sends', async () => {
    const desk = await openDesk();
    desk.changeOutcomes('DELETE FROM outcome');
    const after = (days: number) => desk.office.sandbox.clock.now() + days * 86_400_000;
    const exits = [29, 31].map(
      async (days) => (await desk.run(`${send} --dry-run`, { now: () => after(days) })).exit,
    );
    expect(await Promise.all(exits)).toEqual([11, 0]);
  });

  it('is not sent again by --resume if a second attempt was sent', async () => {
    const desk = await openDesk({ lost: 1 });
    const resume = 'sms send --resume last --yes';
    const resolve = async (state: string): Promise<void> => {
      const [id = ''] = await desk.ids();
      expect((await desk.run(`outcome resolve ${id} --as ${state}`)).exit).toBe(0);
    };
    await resolve('not-sent');
    desk.lose(1);
    expect([(await desk.run(resume)).exit, desk.texts()]).toEqual([14, 4]);
    await resolve('sent');
    expect([(await desk.run(resume)).exit, desk.texts()]).toEqual([0, 4]);
  });

  it('a lookup resolves it, and states the IDs of its messages', async () => {
    const desk = await openDesk();
    expect((await desk.run('outcome resolve --all --sole-sender')).exit).toBe(0);
    const resumed = await desk.run('sms send --resume last --yes -o json');
    expect([resumed.exit, JSON.parse(resumed.stdout)]).toEqual([
      0,
      Array.from({ length: 3 }, () =>
        expect.objectContaining({ id: expect.stringMatching(/^\d+$/) as string }),
      ),
    ]);
    expect([(await desk.run(send)).exit, desk.texts()]).toEqual([0, 6]);
  });

  it('also blocks if the address of the service has another spelling', async () => {
    const desk = await openDesk();
    const url = desk.office.sandbox.url;
    for (const other of [url.replace('127.0.0.1', 'localhost'), `${url}/`]) {
      expect(other).not.toBe(url);
      expect([(await desk.run(`${send} --base-url ${other}`)).exit, desk.texts()]).toEqual([11, 3]);
    }
  });
});
