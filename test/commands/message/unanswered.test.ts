import { describe, expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { ConnectionError } from '../../../src/errors/service.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openLiveOffice } from '../live-office.ts';
import type { Office } from '../office.ts';

interface Row {
  readonly id: string;
  readonly status?: string;
  readonly problem?: string;
}
interface Item {
  readonly resourceId: string;
  readonly status: number;
  readonly body?: unknown;
}

/** How one kind of request is answered, after the service has done it. */
interface Broken {
  method: string;
  change: (items: readonly Item[]) => unknown;
  /** How many of these requests are broken; the others are answered as they are. */
  times: number;
}

/** Two texts, and a network that changes replies about several ids. */
async function open() {
  const broken: Broken = { method: '', change: (items) => items, times: 0 };
  const around =
    (send: HttpSend): HttpSend =>
    async (request) => {
      const isBroken = request.method === broken.method && broken.times > 0 && request.url.href.includes(',');
      if (!isBroken) return send(request);
      broken.times -= 1;
      const accept = 'application/vnd.ringcentral.multipart+json';
      const reply = await send({ ...request, headers: { ...request.headers, accept } });
      const items = reply.status === 204 ? [] : (JSON.parse(await reply.text()) as readonly Item[]);
      const body = broken.change(items);
      return fakeReply({ status: 207, headers: { 'content-type': accept }, body });
    };
  const office = await openLiveOffice('administrator', {}, around);
  const ids: string[] = [];
  for (const text of ['one', 'two']) {
    const { stdout } = await office.run(`sms send --to +16505550112 ${text} --yes -o json`);
    ids.push(String((JSON.parse(stdout) as { readonly id: number }).id));
  }
  const breakReplies = (method: string, change: Broken['change'], times = 1): void => {
    Object.assign(broken, { method, change, times });
  };
  return { office, ids, breakReplies };
}

async function rowsOf(office: Office, line: string) {
  const { exit, stdout, stderr } = await office.run(`${line} -o json`);
  return { exit, rows: JSON.parse(stdout === '' ? '[]' : stdout) as readonly Row[], stderr };
}
const first = (items: readonly Item[]): unknown => items.slice(0, 1);

/** A network that loses the reply to the first PATCH. */
function losing(send: HttpSend): HttpSend {
  let isLost = false;
  return async (request) => {
    const reply = await send(request);
    if (request.method !== 'PATCH' || isLost) return reply;
    isLost = true;
    throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
  };
}

it.each([1, 2])('message restore repeats its request after a lost reply; messages: %i', async (count) => {
  const office = await openLiveOffice('administrator', {}, losing);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { stdout } = await office.run(`sms send --to +16505550112 text${index} --yes -o json`);
    ids.push(String((JSON.parse(stdout) as { readonly id: number }).id));
  }
  expect((await office.run(`message delete ${ids.join(' ')} --yes`)).exit).toBe(0);
  office.requests();
  const { exit, rows } = await rowsOf(office, `message restore ${ids.join(' ')}`);
  expect([exit, rows]).toMatchObject([0, ids.map(() => ({ status: 'restored' }))]);
  expect(office.requests().filter((line) => line.startsWith('PATCH'))).toHaveLength(2);
});

describe('an id without an answer', () => {
  it.each(['read', 'unread', 'restore'])('message %s: its outcome is unknown, exit 14', async (verb) => {
    const { office, ids, breakReplies } = await open();
    breakReplies(verb === 'restore' ? 'PATCH' : 'PUT', first);
    const { exit, rows, stderr } = await rowsOf(office, `message ${verb} ${ids.join(' ')}`);
    expect(exit).toBe(14);
    expect(rows).toMatchObject([
      { id: ids[0], status: verb === 'restore' ? 'restored' : verb },
      { id: ids[1], status: 'unknown', problem: 'the reply does not contain this message' },
    ]);
    expect(stderr).toContain('outcome_unknown');
  });

  it.each<[string, unknown]>([
    ['an empty array', []],
    ['one message', { id: 1 }],
    ['foreign ids', [{ resourceId: '1', status: 200, body: { id: 1 } }]],
  ])('%s in place of the reply: no id counts as done', async (_, reply) => {
    const { office, ids, breakReplies } = await open();
    breakReplies('PUT', () => reply);
    const { exit, rows } = await rowsOf(office, `message read ${ids.join(' ')}`);
    expect([exit, rows.map(({ id, status }) => [id, status])]).toEqual([
      14,
      ids.map((id) => [id, 'unknown']),
    ]);
  });

  it('message delete: the message is read again', async () => {
    const { office, ids, breakReplies } = await open();
    breakReplies('DELETE', () => []);
    const { exit, rows } = await rowsOf(office, `message delete ${ids.join(' ')}`);
    expect([exit, rows.map(({ status }) => status)]).toEqual([0, ['deleted', 'deleted']]);
    expect(office.requests().filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
  });

  it('message delete: nothing is deleted if the message could not be read', async () => {
    const { office, ids, breakReplies } = await open();
    breakReplies('GET', first);
    office.requests();
    const { exit, rows } = await rowsOf(office, `message delete ${ids.join(' ')}`);
    expect(exit).toBe(8);
    expect(rows).toMatchObject([
      {
        id: ids[1],
        status: 'failed',
        problem: 'the reply does not contain this message; ucctl sent no request for this message',
      },
      { id: ids[0], status: 'deleted' },
    ]);
    expect(office.requests().at(-1)).toBe(`DELETE /account/~/extension/~/message-store/${ids[0]}`);
  });

  it('rows of completed requests are shown if a later request fails', async () => {
    let requests = 0;
    const around =
      (send: HttpSend): HttpSend =>
      (request) => {
        if (request.method !== 'PUT') return send(request);
        requests += 1;
        return requests === 1 ? send(request) : Promise.resolve(fakeReply({ status: 400, body: {} }));
      };
    const office = await openLiveOffice('administrator', {}, around);
    const ids = Array.from({ length: 1001 }, (_, index) => index + 1).join(' ');
    const { exit, rows } = await rowsOf(office, `message read ${ids}`);
    expect([exit, rows.length, requests]).toEqual([1, 1000, 2]);
  });

  it('message show: the message is not reported as not found', async () => {
    const { office, ids, breakReplies } = await open();
    breakReplies('GET', first);
    const some = await office.run(`message show ${ids.join(' ')}`);
    expect([some.exit, some.stderr]).toEqual([
      8,
      expect.stringContaining(`does not include message ${ids[1]}`),
    ]);
    expect(some.stderr).not.toContain('there is no message');
    breakReplies('GET', () => []);
    const none = await office.run(`message show ${ids.join(' ')}`);
    expect([none.exit, none.stderr]).toEqual([
      1,
      expect.stringContaining(`does not include messages ${ids.join(', ')}`),
    ]);
  });

  it('message show: a rejection other than 404 keeps its reason', async () => {
    const { office, ids, breakReplies } = await open();
    breakReplies('GET', (items) =>
      items.map((item) => ({
        ...item,
        status: 403,
        body: { errorCode: 'MSG-326', message: 'no participant' },
      })),
    );
    const { exit, stderr } = await office.run(`message show ${ids.join(' ')}`);
    expect([exit, stderr]).toEqual([1, expect.stringContaining('no participant')]);
  });
});

describe('a change that the record of the reply contradicts', () => {
  const changes = [
    ['read', { readStatus: 'Unread' }],
    ['unread', { readStatus: 'Read' }],
    ['restore', { availability: 'Deleted' }],
  ] as const;
  const problem = 'The service accepted the change, but it did not take effect.';

  it.each(changes)('message %s fails if answered with %j', async (verb, members) => {
    const office = await openLiveOffice('administrator', {}, (send) => (request) => {
      return /PUT|PATCH/.test(request.method)
        ? Promise.resolve(fakeReply({ status: 200, body: { id: 5, ...members } }))
        : send(request);
    });
    const { exit, rows, stderr } = await rowsOf(office, `message ${verb} 5`);
    expect([exit, rows]).toEqual([1, [{ id: '5', status: 'failed', problem }]]);
    expect(stderr).toContain(problem);
  });

  it.each(changes)('message %s of two, one answered with %j, exits with 8', async (verb, members) => {
    const { office, ids, breakReplies } = await open();
    breakReplies(verb === 'restore' ? 'PATCH' : 'PUT', () =>
      ids.map((id, index) => ({ resourceId: id, status: 200, body: { id, ...(index === 0 && members) } })),
    );
    const { exit, rows } = await rowsOf(office, `message ${verb} ${ids.join(' ')}`);
    expect(exit).toBe(8);
    expect(rows).toMatchObject([
      { id: ids[0], status: 'failed', problem },
      { id: ids[1], status: verb === 'restore' ? 'restored' : verb },
    ]);
  });

  it('message delete: the message is read again', async () => {
    const { office, ids, breakReplies } = await open();
    breakReplies('DELETE', () =>
      ids.map((id) => ({ resourceId: id, status: 200, body: { id, availability: 'Alive' } })),
    );
    const { exit, rows } = await rowsOf(office, `message delete ${ids.join(' ')}`);
    expect([exit, rows.map(({ status }) => status)]).toEqual([0, ['deleted', 'deleted']]);
    expect(office.requests().at(-1)).toMatch(/^GET /);
  });
});

it('message show prints records of several ids that have only an id', async () => {
  const { office, ids, breakReplies } = await open();
  breakReplies('GET', () => ids.map((id) => ({ resourceId: id, status: 200, body: { id } })), 2);
  for (const format of ['', ' -o json']) {
    const { exit, stdout } = await office.run(`message show ${ids.join(' ')}${format}`);
    expect([exit, stdout]).toEqual([0, expect.stringContaining(String(ids[1]))]);
  }
});
