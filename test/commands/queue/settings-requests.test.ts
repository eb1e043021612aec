import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/contract/operations.ts';
import type { Operation } from '../../../src/contract/operations/operation.ts';
import { Exit } from '../../../src/errors/command.ts';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import { ConnectionError } from '../../../src/errors/service.ts';
import { openCurrent } from './open-current.ts';

type Opened = Awaited<ReturnType<typeof openCurrent>>;

/** Returns the number of requests in each usage group, which the sandbox has counted since `from`. */
function counted({ sandbox }: Opened, from: number): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { operation } of sandbox.requestLog().slice(from)) {
    const { group = 'none' } = (operations as Readonly<Record<string, Operation>>)[operation ?? ''] ?? {};
    counts[group] = (counts[group] ?? 0) + 1;
  }
  return counts;
}

const night = (more = ''): string =>
  `  - queue: Night desk\n    create: true\n    settings: { name: Night desk, number: "290"${more} }\n`;
const day =
  '  - queue: Day desk\n    create: true\n    settings: { name: Day desk, number: "291", alertTimer: 20 }\n';

describe('the number of requests that a plan announces', () => {
  it.each([
    ['a queue without further settings', night()],
    ['a queue with further settings', night(', alertTimer: 60')],
    ['a queue with a status', night(', status: Disabled')],
    ['a queue with agents', `${night(', alertTimer: 60')}    agents: [102, 103]\n`],
    ['two queues, one with agents', `${night()}    agents: [102]\n${day}`],
    [
      'a change and a creation',
      `${day}  - queue: Support\n    settings: { alertTimer: 45 }\n    agents: [102]\n`,
    ],
  ])('is exact for the creation of %s', async (_, text) => {
    const opened = await openCurrent();
    const { run, write, sandbox } = opened;
    write('q.yaml', `queues:\n${text}`);
    const { stdout } = await run('queue plan -f q.yaml -o json --max-removals 9');
    const { requests } = JSON.parse(stdout) as { readonly requests: Readonly<Record<string, number>> };
    const from = sandbox.requestLog().length;
    expect(await run('queue apply -f q.yaml --yes --max-removals 9')).toMatchObject({ exit: 0 });
    const { seconds: _seconds, ...announced } = requests;
    const expected = Object.entries(announced).filter(([, count]) => count > 0);
    expect(Object.fromEntries(expected)).toEqual(counted(opened, from));
  });
});

describe('the ID of a created queue', () => {
  it.each(['json', 'csv', 'tsv', 'yaml', 'ndjson'])('is part of the result in format %s', async (format) => {
    const { run, write, idOf } = await openCurrent();
    write('q.yaml', `queues:\n${night()}    agents: [102]\n`);
    const { stdout } = await run(`queue apply -f q.yaml --yes -o ${format}`);
    const id = (await idOf('290')) ?? '';
    expect(stdout.split('\n').filter((line) => line.includes(id)).length).toBeGreaterThan(0);
  });

  it('is part of the result of a resumed run that had created it', async () => {
    let isDown = false;
    const { run, write, idOf } = await openCurrent((real) => async (request) => {
      if (isDown && request.method === 'PUT')
        throw new ConnectionError('ECONNREFUSED', 'no', 'https://x.example', undefined);
      return real(request);
    });
    write('q.yaml', `queues:\n${night()}${day}`);
    isDown = true;
    expect((await run('queue apply -f q.yaml --yes')).exit).not.toBe(0);
    isDown = false;
    const { stdout } = await run('queue apply --resume last --yes -o json');
    expect(idsOf(stdout)).toEqual(new Set([await idOf('290'), await idOf('291')]));
  });

  it('is part of the result of a resumed run that Ctrl-C ends', async () => {
    let isDown = true;
    const stop = new AbortController();
    const { run, write, idOf } = await openCurrent((real) => async (request) => {
      if (request.method !== 'PUT') return real(request);
      if (isDown) throw new ConnectionError('ECONNREFUSED', 'no', 'https://x.example', undefined);
      stop.abort(new Interrupted('SIGINT'));
      return real(request);
    });
    write('q.yaml', `queues:\n${night()}${day}`);
    expect((await run('queue apply -f q.yaml --yes')).exit).not.toBe(0);
    isDown = false;
    const resume = 'queue apply --resume last --yes -o json';
    const { exit, stdout } = await run(resume, undefined, undefined, stop.signal);
    expect([exit, idsOf(stdout)]).toEqual([130, new Set([await idOf('290'), await idOf('291')])]);
  });

  it('is part of the result if the first change of its agents fails', async () => {
    let isDown = true;
    const { run, write, idOf } = await openCurrent((real) => async (request) => {
      if (isDown && request.url.pathname.endsWith('/bulk-assign'))
        throw new ConnectionError('ECONNREFUSED', 'no', 'https://x.example', undefined);
      return real(request);
    });
    write('q.yaml', `queues:\n${night()}    agents: [102]\n`);
    const { exit, stdout, stderr } = await run('queue apply -f q.yaml --yes -o json');
    expect([exit, idsOf(stdout)]).toEqual([Exit.network, new Set([await idOf('290')])]);
    expect(stderr).toContain('no change of this run was made; resume the run: ');
    isDown = false;
    const resumed = await run('queue apply --resume last --yes -o json');
    expect([resumed.exit, idsOf(resumed.stdout)]).toEqual([0, new Set([await idOf('290')])]);
  });
});

function idsOf(stdout: string): ReadonlySet<string> {
  const rows = JSON.parse(stdout) as readonly { readonly queueId: string }[];
  return new Set(rows.map(({ queueId }) => queueId));
}
