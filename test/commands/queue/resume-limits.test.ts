import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { openOffice } from '../office.ts';

const support = 171_857_201;
const one = 'queues:\n  - queue: Support\n    agents: [102]\n  - queue: Sales\n    agents: [104]\n';

/** A run that is interrupted during its first write: three of four removals are left. */
async function interrupted(
  flags = '--exact --max-removals 50',
  list = one,
  resumed: (send: HttpSend) => HttpSend = (send) => send,
) {
  const stop = new AbortController();
  let armed = true;
  const interrupts =
    (send: HttpSend): HttpSend =>
    (request) => {
      if (!armed) return resumed(send)(request);
      if (request.method !== 'GET') stop.abort(new Error('interrupted'));
      return send(request);
    };
  const office = await openOffice('administrator', interrupts);
  const cwd = temporaryFolder();
  const file = list.startsWith('queues') ? 'one.yaml' : 'one.csv';
  writeFileSync(join(cwd, file), list);
  const at = { cwd, paths: temporaryPaths() };
  const line = `queue apply -f ${file} ${flags} --yes --max-items 1`;
  expect((await office.run(line, { ...at, signal: stop.signal })).exit).toBe(130);
  armed = false;
  office.requests();
  return {
    office,
    paths: at.paths,
    run: (command: string, more = {}) => office.run(command, { ...at, ...more }),
    writes: () => office.requests().filter((request) => !request.startsWith('GET')).length,
    members: (queue = support) => office.sandbox.members(queue).map(({ extensionNumber }) => extensionNumber),
  };
}

describe('the safety limits of a resumed queue run', () => {
  it('nothing is sent if the profile now protects an agent', async () => {
    const desk = await interrupted();
    expect(desk.members()).toEqual(['102', '104']);
    expect((await runUcctl('config set protect 103,104,107', { paths: desk.paths })).exit).toBe(0);
    const { exit, stderr } = await desk.run('queue apply --resume last --yes');
    expect([exit, desk.writes(), desk.members()]).toEqual([9, 0, ['102', '104']]);
    expect(stderr).toContain('error: the remaining changes exceed a safety limit\n');
    expect(stderr).toContain('(104) is protected and would be removed from Support (201)');
    expect(stderr).not.toContain('(103) is protected');
    expect(stderr).toContain('nothing was sent');
  });

  it('nothing is sent if a queue would be empty after a change during a slow confirmation', async () => {
    let reads = 0;
    const removesLast =
      (send: HttpSend): HttpSend =>
      async (request) => {
        if (request.url.pathname.endsWith('/members') && (reads += 1) === 3) {
          const url = new URL(request.url.href.replace(/\/department.*/, '/department/bulk-assign'));
          const headers = { ...request.headers, 'content-type': 'application/json' };
          const items = [{ departmentId: String(support), removedExtensionIds: ['171857102'] }];
          await send({ ...request, method: 'POST', url, headers, body: JSON.stringify({ items }) });
        }
        return send(request);
      };
    const desk = await interrupted(undefined, undefined, removesLast);
    let now = 3_600_000;
    // Between two looks at the clock, the answer took its time.
    const slow = { now: () => (now += 2500) };
    const { exit, stderr } = await desk.run('queue apply --resume last --yes', slow);
    expect([exit, stderr]).toEqual([9, expect.stringContaining('Support')]);
    expect(desk.members()).toEqual(['104']);
  });

  it.each([
    ['--protect 104', '(104) is protected and would be removed from Support (201)'],
    ['--max-removals 0', '3 of 5 agents would be removed, but the limit is 0\n'],
    ['--max-removals 2', '3 of 5 agents would be removed, but the limit is 2\n'],
    ['--max-removals 20%', '3 of 5 agents would be removed, but the limit is 20% (1)\n'],
  ])('%s when it is resumed: exit 9, also for a dry run', async (flags, words) => {
    const desk = await interrupted();
    for (const how of ['--yes', '--dry-run']) {
      const { exit, stderr } = await desk.run(`queue apply --resume last ${flags} ${how}`);
      expect([exit, desk.writes()]).toEqual([9, 0]);
      expect(stderr).toContain(words);
    }
    expect((await desk.run('queue assign --resume last --protect 104 --yes')).exit).toBe(9);
    expect((await desk.run('queue apply --resume last --protect 102 --max-removals 3 --yes')).exit).toBe(0);
    expect(desk.members()).toEqual(['102']);
  });

  it.each(['--add-only', '--remove-only', '--exact', '--map Who=extension', '--sheet People'])(
    '%s is a usage error',
    async (flag) => {
      const desk = await interrupted();
      const { exit, stderr } = await desk.run(`queue apply --resume last ${flag} --yes`);
      expect([exit, desk.office.requests()]).toEqual([2, []]);
      expect(stderr).toContain(
        `${flag.split(' ')[0]} can be used only with a list; a resumed run makes only the remaining changes`,
      );
    },
  );

  it.each(['0', '-1', 'few'])(
    '--max-removals %s is checked also if there are no removals left',
    async (value) => {
      const desk = await interrupted('', 'queue,extension,action\n201,105,add\n202,102,add\n203,103,add\n');
      const { exit } = await desk.run(`queue apply --resume last --max-removals=${value} --yes`);
      expect(exit).toBe(value === '0' ? 0 : 2);
    },
  );

  it('the limit of the original run still applies, and completed removals do not count', async () => {
    const desk = await interrupted('--max-removals 67%');
    expect((await desk.run('queue apply --resume last --yes')).exit).toBe(0);
    expect(desk.members()).toEqual(['102']);
  });

  it('a percentage refers to all queues of the run, also to those without remaining changes', async () => {
    const list = 'queue,extension,action\n202,102,add\n201,103,remove\n201,104,remove\n';
    const desk = await interrupted('--max-removals 34%', list);
    const { exit, stderr } = await desk.run('queue apply --resume last --max-removals 20% --yes');
    expect([exit, stderr]).toEqual([9, expect.stringContaining('2 of 6 agents')]);
    expect((await desk.run('queue apply --resume last --yes')).exit).toBe(0);
    expect(desk.members()).toEqual(['102']);
  });

  it('a queue that others have emptied in the meantime blocks the rest, also with --allow-empty', async () => {
    const list = 'queues:\n  Support: [102]\n';
    const desk = await interrupted('--max-removals 50', list);
    const others = await desk.office.run('queue unassign Support 102 --allow-empty --yes');
    expect(others.exit).toBe(0);
    desk.office.requests();
    const { exit, stderr } = await desk.run('queue apply --resume last --allow-empty --yes');
    expect([exit, stderr]).toEqual([9, expect.stringContaining('the run was started with this limit')]);
  });
});
