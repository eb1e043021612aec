import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hoursNoun } from '../../../src/commands/hours/noun.command.ts';
import { ConnectionError } from '../../../src/errors/service.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { nouns, openOffice } from '../office.ts';

const queues =
  'queues:\n  - queue: Support\n    settings: { alertTimer: 45 }\n    agents: [102, 103, 104, 107]\n';
const company = '  - owner: company\n    saturday: 10:00-14:00\n';
const dana = '  - owner: 102\n    monday: 08:00-12:00\n';

/** An office after `NOUN apply` of a file. Then each change with this path fails until `repair`. */
async function applied(
  noun: 'hours' | 'queue',
  text: string,
  rejected: RegExp,
  how: 'rejected' | 'unreachable' = 'rejected',
) {
  let isRejecting = false;
  const { sandbox, run } = await openOffice(
    'administrator',
    (send) => async (request) => {
      const isChange = request.method === 'PUT' || request.method === 'POST';
      if (!isRejecting || !isChange || !rejected.test(request.url.pathname)) return send(request);
      if (how === 'unreachable')
        throw new ConnectionError('ECONNREFUSED', 'no', request.url.origin, undefined);
      return fakeReply({ status: 403, body: { errorCode: 'CMN-408', message: 'no permission' } });
    },
    ':memory:',
    { dialect: 'current' },
  );
  const shared = {
    nouns: [hoursNoun, ...nouns],
    cwd: temporaryFolder(),
    paths: temporaryPaths(),
    now: () => sandbox.clock.now(),
    env: { UCCTL_BASE_URL: sandbox.url, UCCTL_DIALECT: 'current' },
  };
  writeFileSync(join(shared.cwd, 'f.yaml'), text);
  const go = (line: string) => run(line, shared);
  const shown = noun === 'hours' ? 'hours list company 102 -o json' : 'queue export Support -o json';
  const before = (await go(shown)).stdout;
  expect(await go(`${noun} apply -f f.yaml --yes`)).toMatchObject({ exit: 0 });
  isRejecting = true;
  return {
    go,
    state: shared.paths.state,
    repair: () => {
      isRejecting = false;
    },
    isRestored: async () => (await go(shown)).stdout === before,
  };
}

it('names the command that undoes the remaining changes of an undo that failed in part', async () => {
  const { go, repair, isRestored } = await applied(
    'hours',
    `hours:\n${company}${dana}`,
    /~\/business-hours$/,
  );
  const failed = await go('history undo last --yes');
  const next = / {2}try: {5}correct the cause, then undo the remaining changes: ucctl (.+)\n/.exec(
    failed.stderr,
  );
  expect([failed.exit, next?.[1]]).toEqual([8, expect.stringMatching(/^history undo \S+ --force$/)]);
  repair();
  expect(await go(`${next?.[1] ?? ''} --yes`)).toMatchObject({ exit: 0 });
  expect(await isRestored()).toBe(true);
});

it('undoes the remaining changes of a run that is older than the other runs that are retained', async () => {
  const { go, state, repair, isRestored } = await applied(
    'hours',
    `hours:\n${company}${dana}`,
    /~\/business-hours$/,
  );
  const db = openDatabase(join(state, 'runs.db'));
  const { id, started } = db.prepare('SELECT id, started FROM run').get() as { id: string; started: number };
  const day = 86_400_000;
  db.exec(`UPDATE run SET started = ${started - 100 * day};
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)
    INSERT INTO run (id, kind, title, baseUrl, started, ended, state, detail)
    SELECT 'new-' || i, 'test', '', '', ${started - 2 * day} + i, 1, 'done', '{}' FROM n`);
  db.close();
  expect(await go(`history undo ${id} --yes`)).toMatchObject({ exit: 8 });
  repair();
  expect(await go(`history undo ${id} --force --yes`)).toMatchObject({ exit: 0 });
  expect(await isRestored()).toBe(true);
  expect((await go('history list --fields id,state')).stdout).toContain(`${id}\tundone\n`);
});

it('undoes a run of one change after its undo failed', async () => {
  const { go, repair, isRestored } = await applied('hours', `hours:\n${company}`, /~\/business-hours$/);
  expect(await go('history undo last --yes')).toMatchObject({ exit: 5 });
  repair();
  expect(await go('history undo last --yes')).toMatchObject({ exit: 0 });
  expect(await isRestored()).toBe(true);
});

it('names the command that undoes the settings of an apply, if only the undo of its agents succeeded', async () => {
  const { go, repair, isRestored } = await applied('queue', queues, /\/call-queues\/\d+$/);
  const failed = await go('history undo last --yes');
  const next = / was not undone; to undo it: ucctl (history undo \S+)\n/.exec(failed.stderr);
  expect([failed.exit, next]).toEqual([5, expect.anything()]);
  repair();
  expect(await go(`${next?.[1] ?? ''} --yes`)).toMatchObject({ exit: 0 });
  expect(await isRestored()).toBe(true);
});

it('undoes all runs of an apply with the same command after an undo without any effect', async () => {
  const { go, repair, isRestored } = await applied('queue', queues, /./, 'unreachable');
  const failed = await go('history undo last --yes --retry 0');
  expect([failed.exit, failed.stderr]).toEqual([7, expect.not.stringMatching(/--resume|to undo it/)]);
  repair();
  expect(await go('history undo last --yes')).toMatchObject({ exit: 0 });
  expect(await isRestored()).toBe(true);
});
