import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Interrupted } from '../../src/errors/interrupted.ts';
import { ConnectionError } from '../../src/errors/service.ts';
import { fakeReply } from '../support/fake-service.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openOffice } from './office.ts';

/** An office that answers DELETE with this status and no body. `isRead`: whether other requests are answered afterwards. */
async function answering(status: number, isDone: boolean, isRead = true) {
  let isAsked = false;
  return openOffice('administrator', (send) => async (request) => {
    const isDelete = request.method === 'DELETE';
    if (!isDelete) return isAsked && !isRead ? fakeReply({ status: 403 }) : send(request);
    isAsked = true;
    if (isDone) await send(request).then((reply) => reply.text());
    return fakeReply({ status });
  });
}

type Run = Awaited<ReturnType<typeof answering>>['run'];

const idIn = async (run: Run, line: string): Promise<string> => {
  const { exit, stdout, stderr } = await run(`${line} -o json`);
  expect([exit, stderr]).toEqual([0, expect.any(String)]);
  return String((JSON.parse(stdout) as { readonly id: unknown }).id);
};

const kinds = [
  [
    'subscribe delete',
    (run: Run) => idIn(run, 'subscribe create --events presence --transport channel'),
    [202, 200],
  ],
  ['webhook delete --yes', (run: Run) => idIn(run, 'webhook create --group 3301'), [202]],
] as const;

describe.each(kinds)('%s answered without the documented status', (line, create, statuses) => {
  it.each(statuses)('and HTTP %i succeeds if the record is gone', async (status) => {
    const { run } = await answering(status, true);
    const id = await create(run);
    const { exit, stdout } = await run(`${line} ${id}`);
    expect([exit, stdout]).toEqual([0, `${id}\tdeleted\n`]);
  });

  it.each(statuses)('and HTTP %i exits with 14 if the record still exists', async (status) => {
    const { run } = await answering(status, false);
    const id = await create(run);
    const { exit, stdout, stderr } = await run(`${line} ${id}`);
    expect([exit, stdout, stderr]).toEqual([
      14,
      '',
      expect.stringContaining(`returned HTTP ${status} with an empty body`),
    ]);
  });

  it.each(statuses)('and HTTP %i exits with 14 if the record cannot be read', async (status) => {
    const { run } = await answering(status, true, false);
    const id = await create(run);
    expect((await run(`${line} ${id}`)).exit).toBe(14);
  });
});

describe.each(kinds)('%s without any reply', (line, create) => {
  const noReply = 'No reply confirms the change';
  it.each([
    ['succeeds if the record is gone', 'lost', true, 'read', 0, ''],
    ['succeeds after a 502 if the record is gone', '502', true, 'read', 0, ''],
    [
      'exits with 14 if the record still exists',
      'lost',
      false,
      'read',
      14,
      `${noReply}, and it is not in effect`,
    ],
    ['exits with 14 after a 502 if it still exists', '502', false, 'read', 14, `${noReply}, and it is not`],
    ['exits with 14 if the record cannot be read', 'lost', true, '403', 14, 'could not read it back'],
    ['exits with 14 if another server answers 404', 'lost', true, '404', 14, 'could not read it back'],
  ])('%s', async (_, how, isDone, reading, exit, words) => {
    let isAsked = false;
    const { run } = await openOffice('administrator', (send) => async (request) => {
      if (request.method !== 'DELETE')
        return isAsked && reading !== 'read' ? fakeReply({ status: Number(reading) }) : send(request);
      isAsked = true;
      if (isDone) await send(request).then((reply) => reply.text());
      if (how === '502') return fakeReply({ status: 502 });
      throw new ConnectionError('TIMEOUT', 'unknown', request.url.origin, undefined);
    });
    const id = await create(run);
    const result = await run(`${line} ${id} --retry 0`);
    expect([result.exit, result.stderr]).toEqual([exit, expect.stringContaining(words)]);
    expect(result.stdout).toBe(exit === 0 ? `${id}\tdeleted\n` : '');
  });
});

it.each(kinds)(
  '%s of several after Ctrl-C shows the deleted ones, and names the request without a reply',
  async (line, create) => {
    const stop = new AbortController();
    let deletions = 0;
    const { run } = await openOffice('administrator', (send) => async (request) => {
      const reply = await send(request);
      if (request.method !== 'DELETE') return reply;
      deletions += 1;
      if (deletions > 1) stop.abort(new Interrupted('SIGINT'));
      request.signal?.throwIfAborted();
      return reply;
    });
    const ids = [await create(run), await create(run), await create(run)];
    const { exit, stdout, stderr } = await run(`${line} ${ids.join(' ')}`, { signal: stop.signal });
    expect([exit, stdout, deletions]).toEqual([14, `${ids[0]}\tdeleted\n`, 2]);
    expect(stderr).toMatch(new RegExp(`no reply to DELETE .*/${ids[1]}: the request may have taken effect`));
  },
);

describe.each(['delete', 'purge'])('message %s answered with an empty HTTP 202', (verb) => {
  const sent = (run: Run): Promise<string> => idIn(run, 'sms send --to +16505550112 hello --yes');

  it('by id succeeds only if the message is gone', async () => {
    for (const isDone of [true, false]) {
      const { run } = await answering(202, isDone);
      const { exit, stdout } = await run(`message ${verb} ${await sent(run)} --yes -o json`);
      expect([exit, JSON.parse(stdout)]).toMatchObject([
        isDone ? 0 : 14,
        [{ status: isDone ? `${verb}d` : 'unknown' }],
      ]);
    }
  });

  it('by id exits with 14 if the message cannot be read', async () => {
    const { run } = await answering(202, true, false);
    expect((await run(`message ${verb} ${await sent(run)} --yes`)).exit).toBe(14);
  });

  it.each([
    [
      'by filter',
      () => Promise.resolve(`message ${verb} --type SMS`),
      `may have deleted the messages of type SMS`,
    ],
    [
      'with ucctl api',
      async (run: Run) => `api DELETE /account/~/extension/~/message-store/${await sent(run)}`,
      'no reply to DELETE',
    ],
  ])('%s exits with 14 without a reply', async (_, line, words) => {
    let deletions = 0;
    const { run } = await openOffice('administrator', (send) => (request) => {
      if (request.method !== 'DELETE') return send(request);
      deletions += 1;
      return Promise.reject(new ConnectionError('TIMEOUT', 'unknown', request.url.origin, undefined));
    });
    const { exit, stderr } = await run(`${await line(run)} --yes`);
    expect([exit, stderr, deletions]).toEqual([14, expect.stringContaining(words), 1]);
  });

  it('by filter exits with 14', async () => {
    const { run } = await answering(202, true);
    const { exit, stdout, stderr } = await run(`message ${verb} --type SMS --yes`);
    expect([exit, stdout, stderr]).toEqual([
      14,
      '',
      expect.stringContaining('the service may have made the change'),
    ]);
  });
});

/** An office whose gateway answers each DELETE with 503 and Retry-After, after the service processed it `times` times. */
async function behindGateway(times: number) {
  let deletions = 0;
  const { run } = await openOffice('administrator', (send) => async (request) => {
    if (request.method !== 'DELETE') return send(request);
    deletions += 1;
    for (let sent = 0; sent < times; sent += 1) await send(request).then((reply) => reply.text());
    return fakeReply({ status: 503, headers: { 'retry-after': '1' } });
  });
  return { run, deletions: () => deletions };
}

const sentText = (run: Run): Promise<string> => idIn(run, 'sms send --to +16505550112 hello --yes');
const queuedFax = (run: Run): Promise<string> => {
  const document = join(temporaryFolder(), 'document.txt');
  writeFileSync(document, 'hello');
  return idIn(run, `fax send --to +14155550100 ${document} --yes`);
};

describe('spec:CLIENT-2 a deletion of a message with --retry-503', () => {
  it.each([
    ['message delete', sentText, 0],
    ['fax cancel', queuedFax, 0],
    ['api DELETE account/~/extension/~/message-store/', sentText, 14],
  ] as const)('%s is sent once, and the message is not purged', async (line, create, code) => {
    const { run, deletions } = await behindGateway(1);
    const id = await create(run);
    const words = line.endsWith('/') ? `${line}${id}` : `${line} ${id}`;
    expect([(await run(`${words} --yes --retry-503`)).exit, deletions()]).toEqual([code, 1]);
    const shown = await run(`message show ${id} --availability Alive,Deleted,Purged -o json`);
    expect(JSON.parse(shown.stdout)).toMatchObject({ availability: 'Deleted' });
  });

  it.each([
    ['message delete', sentText],
    ['fax cancel', queuedFax],
  ] as const)('%s reports a message that is purged afterwards', async (line, create) => {
    const { run } = await behindGateway(2);
    const id = await create(run);
    const { exit, stdout, stderr } = await run(`${line} ${id} --yes -o json`);
    expect([exit, [JSON.parse(stdout)].flat()]).toMatchObject([0, [{ id, status: 'purged' }]]);
    expect(stderr).toContain('1 message was purged instead of deleted, and cannot be restored');
  });
});
