import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import type { CallLogRecord } from '../../../src/contract/call-log.ts';
import { deferred } from '../../support/deferred.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice, type Office } from '../office.ts';

const now = Date.UTC(2026, 0, 5, 9);

const openCenter = (around: (send: HttpSend) => HttpSend): Promise<Office> =>
  openOffice(undefined, around, undefined, { fixture: 'call-center' });

async function recordingIds({ run }: Office, count: number): Promise<readonly string[]> {
  const { stdout } = await run('calllog list --since 30d --recording-type All -L 100 -o json', { now });
  const found = (JSON.parse(stdout) as CallLogRecord[]).map(({ recording }) => recording?.id ?? '');
  return [...new Set(found)].slice(0, count);
}

/** The service answers the lookups of one recording with this error. */
const failing =
  (id: string, answer: () => ReturnType<HttpSend>) =>
  (send: HttpSend): HttpSend =>
  (request) =>
    request.url.pathname.endsWith(`/recording/${id}`) ? answer() : send(request);

const unreachable = (): ReturnType<HttpSend> =>
  Promise.reject(new ConnectionError('ECONNREFUSED', 'no', 'https://service.example', undefined));
const lost = (): ReturnType<HttpSend> =>
  Promise.reject(new ConnectionError('ECONNRESET', 'unknown', 'https://service.example', undefined));
const noSession = (): ReturnType<HttpSend> =>
  Promise.resolve(fakeReply({ status: 401, body: { errorCode: 'TokenInvalid', message: 'expired' } }));

describe('a lookup that fails', () => {
  it.each([
    ['is not found', undefined, expect.stringMatching(/not found/i) as string],
    ['gets no reply', lost, expect.stringContaining('no reply from') as string],
  ])(
    'because the item %s is a failed row, and the other items are downloaded',
    async (_, answer, problem) => {
      const office = await openCenter(answer ? failing('99999', answer) : (send) => send);
      const ids = await recordingIds(office, 5);
      const dir = temporaryFolder();
      const listed = ['recording_id', ...ids.slice(0, 2), '99999', ...ids.slice(2)].join('\n');
      const line = `download -f - --dir ${dir} --continue --retry 0 -o json`;
      const { exit, stdout, stderr } = await office.run(line, { stdin: listed });
      const rows = JSON.parse(stdout) as { id: string; status: string; problem?: string }[];
      const failed = rows.filter(({ status }) => status === 'failed');
      expect(failed).toMatchObject([{ kind: 'recording', id: '99999', problem }]);
      const downloaded = rows.filter(({ status }) => status === 'downloaded').map(({ id }) => id);
      expect(downloaded.toSorted()).toEqual(ids.toSorted());
      expect([exit, stderr]).toEqual([8, expect.stringContaining('1 of 6 files failed, 5 downloaded')]);
      expect(readdirSync(dir).filter((name) => name.endsWith('.wav'))).toHaveLength(5);
    },
  );

  it('of a message does not stop the other messages, and a dry run reports it, too', async () => {
    const { run, sandbox } = await openOffice('102');
    for (let left = 2; left > 0; left -= 1)
      await sandbox.control('POST', '/triggers/voicemail', { to: '102', seconds: 3 });
    const { stdout } = await run('message list --type VoiceMail --since 365d -L 2 -o json');
    const [first, second] = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
    const line = `download ${first} 999999999 ${second} --dir ${temporaryFolder()} -o tsv --fields id,status`;
    const planned = await run(`${line} --dry-run`);
    expect(planned).toMatchObject({
      exit: 8,
      stdout: `${first}\tplanned\n999999999\tfailed\n${second}\tplanned\n`,
    });
    const done = await run(line);
    expect(done).toMatchObject({
      exit: 8,
      stdout: `${first}\tdownloaded\n999999999\tfailed\n${second}\tdownloaded\n`,
    });
  });

  it.each([
    ['the service is unreachable', unreachable, 7],
    ['the sign-in has expired', noSession, 4],
  ])('because %s ends the run', async (_, answer, exit) => {
    const office = await openCenter(failing('99999', answer));
    const ids = await recordingIds(office, 2);
    const named = ['99999', ...ids].map((id) => `--recording ${id}`).join(' ');
    office.requests();
    const result = await office.run(`download ${named} --retry 0 --dir ${temporaryFolder()}`);
    expect(result.exit).toBe(exit);
    expect(office.requests().filter((text) => ids.some((id) => text.includes(id)))).toEqual([]);
    expect(result.stderr).toContain(
      'warning: 3 items were not tried; to continue, run the same command with --continue\n',
    );
    const single = await office.run(`download --recording 99999 --retry 0 --dir ${temporaryFolder()}`);
    expect([single.exit, single.stderr.includes('not tried')]).toEqual([exit, false]);
  });
});

it('names the items that were not tried if the download of an earlier item ends the run', async () => {
  const office = await openCenter(
    (send) => (request) => (request.url.pathname.includes('/content/') ? noSession() : send(request)),
  );
  const ids = await recordingIds(office, 3);
  const named = ids.map((id) => `--recording ${id}`).join(' ');
  const result = await office.run(
    `download ${named} --concurrency 1 --retry 0 --dir ${temporaryFolder()} -o tsv --fields id,status`,
  );
  expect(result).toMatchObject({ exit: 4, stdout: `${ids[0]}\tfailed\n` });
  expect(result.stderr).toContain('warning: 2 items were not tried; to continue, run the same command');
});

it('names the next step if a list of the service cannot be read to its end', async () => {
  const office = await openCenter((send) => async (request) => {
    const { pathname, searchParams } = request.url;
    if (!pathname.endsWith('/call-log')) return send(request);
    if (office.requests().some((line) => line.includes('/content'))) return unreachable();
    searchParams.set('perPage', '20');
    return send(request);
  });
  const dir = temporaryFolder();
  const result = await office.run(`download --recordings --since 30d --retry 0 --dir ${dir} -o tsv`, { now });
  expect(result.exit).toBe(7);
  expect(result.stderr).toContain(
    'warning: the list of the service was not read to its end; to continue, run the same command with --continue\n',
  );
});

/** The service answers all lookups of recordings, or of messages, with this error. */
const failingAll =
  (collection: string, answer: () => ReturnType<HttpSend>) =>
  (send: HttpSend): HttpSend =>
  (request) =>
    new RegExp(String.raw`/${collection}/\d+$`).test(request.url.pathname) ? answer() : send(request);
const rejected =
  (status: number, errorCode: string, reason = errorCode) =>
  (): ReturnType<HttpSend> => {
    const errors = [{ errorCode: reason, message: 'rejected' }];
    return Promise.resolve(fakeReply({ status, body: { errorCode, message: 'rejected', errors } }));
  };

describe('a list of which all lookups fail', () => {
  it.each([
    // Three in a row, and the last one.
    ['the service has an outage', rejected(503, 'CMN-211'), 4, 1],
    ['the service does not reply', lost, 4, 7],
    ['the user lacks the permission', rejected(403, 'InsufficientPermissions'), 1, 5],
    ['the app lacks the permission', rejected(403, 'InsufficientPermissions', 'CMN-401'), 1, 5],
    ['all items belong to another user', rejected(403, 'InsufficientPermissions', 'CMN-404'), 6, 5],
  ])('because %s ends after the necessary requests', async (_, answer, requests, exit) => {
    const office = await openCenter(failingAll('recording', answer));
    office.requests();
    const named = Array.from({ length: 6 }, (_one, index) => `--recording ${index + 1}`).join(' ');
    const result = await office.run(
      `download ${named} --retry 0 --dir ${temporaryFolder()} -o tsv --fields id,status`,
    );
    expect(result.exit).toBe(exit);
    expect(result.stdout.trim().split('\n')).toHaveLength(requests);
    expect(office.requests().filter((text) => text.includes('/recording/'))).toHaveLength(requests);
    const untried = 'items were not tried; to continue, run the same command with --continue';
    expect(result.stderr.includes(`warning: ${6 - requests} ${untried}\n`)).toBe(requests < 6);
  });

  it('because the service has an outage does not stop items that need no lookup', async () => {
    const office = await openCenter(failingAll('message-store', rejected(500, 'CMN-203')));
    const { stdout } = await office.run('calllog list --since 30d --recording-type All -L 100 -o json', {
      now,
    });
    const found = (JSON.parse(stdout) as CallLogRecord[]).map(({ recording }) => recording?.contentUri ?? '');
    const uris = [...new Set(found)].slice(0, 2);
    const listed = [...['1', '2', '3', '4', '5'].map((id) => `${id},`), ...uris.map((uri) => `,${uri}`)];
    const line = `download -f - --dir ${temporaryFolder()} --retry 0 -o tsv --fields status`;
    const result = await office.run(line, { stdin: ['message_id,uri', ...listed].join('\n') });
    expect([result.exit, result.stdout]).toEqual([1, `${'failed\n'.repeat(4)}${'downloaded\n'.repeat(2)}`]);
    expect(result.stderr).toContain('warning: 1 item was not tried;');
  });

  it('except those after three items that always fail does not hide them', async () => {
    const bad = ['1', '2', '3', '4', '5', '6', '7'];
    const office = await openCenter((send) => (request) => {
      const id = /\/recording\/(\d+)$/.exec(request.url.pathname)?.[1] ?? '';
      return bad.includes(id) ? lost() : send(request);
    });
    const ids = await recordingIds(office, 6);
    const dir = temporaryFolder();
    const line = `download -f - --dir ${dir} --retry 0 -o tsv --fields id,status`;
    const { exit, stdout, stderr } = await office.run(line, {
      stdin: ['recording_id', ...bad, ...ids].join('\n'),
    });
    expect([exit, stderr]).toEqual([8, expect.stringContaining('7 of 13 files failed, 6 downloaded')]);
    const rows = stdout.trim().split('\n').toSorted();
    expect(rows).toEqual(
      [...bad.map((id) => `${id}\tfailed`), ...ids.map((id) => `${id}\tdownloaded`)].toSorted(),
    );
  });

  it('because a permission is missing does not end the run if it also has items of another kind', async () => {
    const office = await openCenter(failingAll('message-store', rejected(403, 'CMN-408')));
    const ids = await recordingIds(office, 2);
    office.requests();
    const named = ids.map((id) => `--recording ${id}`).join(' ');
    const result = await office.run(
      `download 1 2 3 4 ${named} --retry 0 --dir ${temporaryFolder()} -o tsv --fields status`,
    );
    expect(result).toMatchObject({ exit: 8, stdout: `${'failed\n'.repeat(4)}${'downloaded\n'.repeat(2)}` });
    expect(office.requests().filter((text) => text.includes('/message-store/'))).toHaveLength(1);
  });

  it('ends the run after three lookups in a row and the last one without a result, with their error', async () => {
    const notFound = rejected(404, 'CMN-102');
    const answers = [notFound, lost, lost, notFound, lost, lost, lost, lost];
    const office = await openCenter(failingAll('recording', () => (answers.shift() ?? notFound)()));
    const named = Array.from({ length: 9 }, (_one, index) => `--recording ${index + 1}`).join(' ');
    const result = await office.run(
      `download ${named} --retry 0 --dir ${temporaryFolder()} -o tsv --fields id`,
    );
    expect(result).toMatchObject({ exit: 7, stdout: '1\n2\n3\n4\n5\n6\n7\n9\n' });
  });

  it('does not end the run if lookups between them succeed', async () => {
    let count = 0;
    const office = await openCenter((send) => (request) => {
      if (!/\/recording\/\d+$/.test(request.url.pathname)) return send(request);
      count += 1;
      return count % 3 === 0 ? send(request) : lost();
    });
    const ids = await recordingIds(office, 6);
    const named = ids.map((id) => `--recording ${id}`).join(' ');
    const result = await office.run(
      `download ${named} --retry 0 --dir ${temporaryFolder()} -o tsv --fields status`,
    );
    const round = 'failed\nfailed\ndownloaded\n';
    expect(result).toMatchObject({ exit: 8, stdout: round.repeat(2) });
  });
});

it('writes a row for each saved file if the lookup of a later item ends the run', async () => {
  const lookedUp = deferred<undefined>();
  let slow = '';
  const office = await openCenter((send) => async (request) => {
    const { pathname } = request.url;
    if (pathname.endsWith(`/recording/${slow}/content`)) await lookedUp.promise;
    if (!pathname.endsWith('/recording/99999')) return send(request);
    lookedUp.resolve(undefined);
    return unreachable();
  });
  const ids = await recordingIds(office, 3);
  slow = ids[0] ?? '';
  const dir = temporaryFolder();
  const named = [...ids, '99999'].map((id) => `--recording ${id}`).join(' ');
  const result = await office.run(
    `download ${named} --concurrency 2 --retry 0 -o tsv --fields id,status --dir ${dir} --manifest ${join(dir, 'SUMS')}`,
  );
  expect(result).toMatchObject({ exit: 7, stderr: expect.stringContaining('ECONNREFUSED') as string });
  const files = readdirSync(dir).filter((name) => name.endsWith('.wav'));
  expect(files).toHaveLength(3);
  expect(result.stdout).toBe(ids.map((id) => `${id}\tdownloaded\n`).join(''));
  const sums = readFileSync(join(dir, 'SUMS'), 'utf8');
  expect(files.filter((file) => sums.includes(file))).toEqual(files);
});
