import { describe, expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

/** A text without the line breaks of its terminal. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

const plain = { NO_COLOR: '1' };

/** An office of dialect `current` with new call handling, on a terminal. */
async function openNewHandling(around?: (send: HttpSend) => HttpSend) {
  const { sandbox, run: runIn } = await openOffice('administrator', around, ':memory:', {
    dialect: 'current',
    settings: { newCallHandling: true },
  });
  const paths = temporaryPaths();
  return (argv: string) =>
    runIn(argv, { terminal: 100, paths, env: { UCCTL_BASE_URL: sandbox.url, UCCTL_DIALECT: 'current' } });
}

describe('a presence on a terminal', () => {
  it('begins with the name of the person, and JSON stays as the service returns it', async () => {
    const { run } = await openOffice();
    const shown = await run('presence show 102', { terminal: 80, env: plain });
    expect(shown.stdout).toMatch(/^Name +Dana Okafor\n/);
    const { stdout } = await run('presence show 102 -o json');
    expect(JSON.parse(stdout)).not.toHaveProperty('name');
    const changed = await run('presence set 102 --user-status Busy', { terminal: 80, env: plain });
    expect(changed.stdout).toMatch(/^Name +Dana Okafor\n/);
    expect(changed.stderr).toContain('ucctl presence set 102 --user-status Available');
  });

  it('of a queue cannot switch queue calls, and the error names the command for its agents', async () => {
    const { run } = await openOffice();
    const { exit, stderr } = await run('presence set 201 --queue-calls off', { terminal: 100 });
    expect(exit).toBe(2);
    expect(flat(stderr)).toContain('cannot set queue calls for Support (201)');
    expect(flat(stderr)).toContain('ucctl presence set --queue 201 --queue-calls off');
    expect(stderr).not.toContain('--dnd-status');
  });
});

describe('a change of the availability in queues', () => {
  it('of one queue names the command that restores it', async () => {
    const run = await openNewHandling();
    const { stderr, exit } = await run('queue availability Support --agent 104 --off');
    expect(exit).toBe(0);
    expect(flat(stderr)).toContain(
      'To restore the earlier value: ucctl queue availability 201 --agent 104 --on',
    );
  });

  it('of only some queues of a person names a command for each of them', async () => {
    const run = await openNewHandling();
    await run('queue availability Support --agent 104 --off');
    const { stderr, exit } = await run('presence set 104 --queue-calls off');
    expect(exit).toBe(0);
    expect(flat(stderr)).toContain(
      'To restore the earlier value: ucctl queue availability 171857202 --agent 104 --on',
    );
    expect(flat(stderr)).not.toContain('171857201');
    const all = await run('presence set 104 --queue-calls on');
    expect(flat(all.stderr)).toContain(
      'To restore the earlier values: ucctl presence set 104 --queue-calls off',
    );
  });

  it('names the person also if the presence has no extension', async () => {
    const run = await openNewHandling((send) => async (request) => {
      const reply = await send(request);
      if (!request.url.pathname.endsWith('/presence')) return reply;
      const { extension: _, ...body } = JSON.parse(await reply.text()) as Readonly<Record<string, unknown>>;
      return fakeReply({ status: reply.status, body });
    });
    await run('queue availability Support --agent 104 --off');
    const { stderr, exit } = await run('presence set 104 --queue-calls off');
    expect(exit).toBe(0);
    expect(flat(stderr)).toContain('ucctl queue availability 171857202 --agent 104 --on');
  });

  it('can be restored also if the change of the presence fails after it', async () => {
    const run = await openNewHandling((send) => (request) => {
      const isUpdate = request.method === 'PUT' && /extension\/\d+\/presence$/.test(request.url.pathname);
      return isUpdate ? Promise.resolve(fakeReply({ status: 403, body: {} })) : send(request);
    });
    const all = await run('presence set 104 --queue-calls off --user-status Busy');
    expect(all.exit).toBe(1);
    expect(flat(all.stderr)).toContain(
      'To restore the earlier values: ucctl presence set 104 --queue-calls on',
    );
    expect(flat(all.stderr)).not.toContain('--user-status Available');
    await run('queue availability Support --agent 104 --on');
    const some = await run('presence set 104 --queue-calls off --user-status Busy');
    expect(flat(some.stderr)).toContain('ucctl queue availability 171857201 --agent 104 --on');
  });
});
