import { describe, expect, it } from 'vitest';
import { fakeReply } from '../support/fake-service.ts';
import type { RunOptions } from '../support/run-ucctl.ts';
import { temporaryPaths } from '../support/temporary.ts';
import { openOffice } from './office.ts';

const sends = [
  ['sms', 'sms send --to +16505550112 hello --yes'],
  ['pager', 'pager send --to 102 hello --yes'],
  ['fax', 'fax send --to +16505550112 LICENSE --yes'],
  ['ringout', 'ringout start --to +16505550112 --yes'],
] as const;
const noReceipts = [
  [200, { login: 'https://wifi.example' }],
  [202, { queued: true }],
  [207, { status: 400 }],
  [200, { errorCode: 'CMN-101', message: 'no' }],
] as const;

/** An office whose answers to these methods come from somebody else. */
async function answered(methods: RegExp, status: number, body: unknown) {
  const paths = temporaryPaths();
  const office = await openOffice('administrator', (send) => (request) => {
    return methods.test(request.method) ? Promise.resolve(fakeReply({ status, body })) : send(request);
  });
  const run = (line: string, more: RunOptions = {}) => office.run(line, { paths, ...more });
  return { ...office, run };
}

describe.each(sends)('%s', (kind, line) => {
  it.each(noReceipts)(
    'answered with %i %j exits with 14, and its outcome is unknown',
    async (status, body) => {
      const { run } = await answered(/POST/, status, body);
      for (const format of ['', ' -o json']) {
        const { exit, stdout } = await run(line + format);
        expect([exit, stdout]).toEqual([14, '']);
      }
      const outcomes = JSON.parse((await run('outcome list -o json')).stdout) as object[];
      expect(outcomes).toMatchObject([
        { kind, state: 'unknown' },
        { kind, state: 'unknown' },
      ]);
    },
  );

  it('with the minimal receipt is shown, with every other member missing', async () => {
    const { run } = await answered(/POST/, 200, { id: 4711, status: {} });
    for (const format of ['', ' -o json', ' -o csv']) {
      const { exit, stdout } = await run(line + format);
      expect([exit, stdout]).toEqual([0, expect.stringContaining('4711')]);
    }
  });
});

describe('a send that has already failed according to its receipt', () => {
  const statuses = [{ messageStatus: 'SendingFailed' }, { messageStatus: 'DeliveryFailed' }];

  it.each(sends.slice(0, 3).flatMap(([kind, line]) => statuses.map((one) => [kind, one, line] as const)))(
    '%s %j is shown, and exits with 13',
    async (_kind, status, line) => {
      const { run } = await answered(/POST/, 200, { id: 4711, ...status });
      for (const format of ['', ' -o json']) {
        const { exit, stdout, stderr } = await run(line + format);
        expect([exit, stdout]).toEqual([13, expect.stringContaining('4711')]);
        expect(stderr).toMatch(/4711: (could not be sent|sent, but not delivered)/);
      }
    },
  );

  it.each(['Busy', 'InternationalDisabled', 'GenericError'])(
    'ringout %s is shown, and exits with 13',
    async (callStatus) => {
      const { run } = await answered(/POST/, 200, { id: 4711, status: { callStatus } });
      const { exit, stdout } = await run('ringout start --to +16505550112 --yes -o json');
      expect([exit, stdout]).toEqual([13, expect.stringContaining('4711')]);
    },
  );

  it.each(['Queued', 'Sent', 'Delivered', 'Received', 'Postponed', undefined])(
    'is not assumed for the status %s',
    async (messageStatus) => {
      const { run } = await answered(/POST/, 200, { id: 4711, messageStatus });
      for (const [, line] of sends.slice(0, 3)) expect((await run(line)).exit).toBe(0);
    },
  );

  it.each([
    ['the text', { messageStatus: 'SendingFailed' }],
    ['its recipient', { messageStatus: 'Queued', to: [{ messageStatus: 'SendingFailed' }] }],
  ])(
    'fails the text of a list if %s has the status of a failure, and the others are sent',
    async (_, body) => {
      let sent = 0;
      const office = await openOffice('administrator', (send) => (request) => {
        if (request.method !== 'POST') return send(request);
        sent += 1;
        const state = sent === 1 ? body : { messageStatus: 'Queued' };
        return Promise.resolve(fakeReply({ status: 200, body: { id: sent, ...state } }));
      });
      const stdin = 'to\n+16505550112\n+16505550113\n';
      const { exit, stdout } = await office.run('sms send --file - --template hello --yes -o json', {
        stdin,
      });
      expect(exit).toBe(8);
      expect(JSON.parse(stdout)).toMatchObject([
        { to: '+16505550112', status: 'failed' },
        { to: '+16505550113', status: 'sent' },
      ]);
      expect(sent).toBe(2);
    },
  );
});

describe.each([
  ['sms', 'message-threads/messages'],
  ['ringout', 'telephony/call-out'],
])('api %s', (kind, place) => {
  const line = `api POST /restapi/v1.0/account/~/${place} -f text=x`;

  it.each([{}, { login: 1 }])('to its path answered with %j exits with 14', async (body) => {
    const { run } = await answered(/POST/, 200, body);
    const { exit, stdout } = await run(`${line} --yes`);
    // The reply is shown, because the request must not be repeated only to see it.
    expect([exit, stdout]).toEqual([14, `${JSON.stringify(body)}\n`]);
    const outcomes = JSON.parse((await run('outcome list -o json')).stdout) as object[];
    expect(outcomes).toMatchObject([{ kind, state: 'unknown' }]);
  });

  it('requires a confirmation', async () => {
    const { run, requests } = await openOffice();
    requests();
    expect([(await run(line)).exit, requests()]).toEqual([9, []]);
  });
});

describe('a change that may be repeated', () => {
  const changes = [
    'message read 5',
    'message unread 5',
    'message restore 5',
    'message delete --conversation 5 --yes',
    'ringout cancel 5',
    'subscribe delete abc',
    'subscribe delete abc abd',
    'subscribe renew abc',
    'webhook suspend abc',
    'webhook activate abc',
    'webhook delete abc --yes',
  ];

  it.each(changes)('%s answered by another server exits with 14', async (line) => {
    const { run } = await answered(/POST|PUT|PATCH|DELETE/, 200, { login: 1 });
    const { exit, stdout, stderr } = await run(`${line} -o json`);
    expect([exit, stdout]).toEqual([14, expect.stringMatching(/^(?:\[\]\n)?$/)]);
    expect(stderr).toContain('outcome_unknown');
  });

  it('subscribe renew is not proved by another id', async () => {
    const { run } = await answered(/POST/, 200, { id: 'zzz' });
    expect((await run('subscribe renew abc -o json')).exit).toBe(14);
    const own = await answered(/POST/, 200, { id: 'abc' });
    expect((await own.run('subscribe renew abc -o json')).exit).toBe(0);
  });

  it.each(['zzz', 'abc'])('webhook suspend is not proved by the id %s alone', async (id) => {
    const { run } = await answered(/POST/, 200, { id });
    expect((await run('webhook suspend abc -o json')).exit).toBe(14);
  });
});

describe('a read', () => {
  const reads = [
    'queue list',
    'agent list',
    'presence show',
    'message list',
    'sms numbers',
    'ringout numbers',
    'ringout status 5',
    'calllog list',
    'calllog active',
    'subscribe list',
    'webhook list',
    'fax status 5',
  ];

  it.each(reads)('%s answered by another server exits with 1', async (line) => {
    for (const body of [{}, { login: 'x' }, [], null, 'x', { records: [{}] }, { records: 5 }]) {
      const { run } = await answered(/GET/, 200, body);
      const { exit, stderr } = await run(line);
      expect([exit, stderr]).toEqual([1, expect.stringContaining('returned HTTP 200 with')]);
    }
  });

  const lists = [...reads.filter((line) => !/status|presence/.test(line)), 'calllog stats'];
  it.each(lists)('%s reads records that have only an id', async (line) => {
    const { run } = await answered(/GET/, 200, { records: [{ id: '4711', other: { x: 1 } }] });
    for (const format of ['', ' -o json']) expect((await run(line + format)).exit).toBe(0);
  });

  it('calllog show prints a record that has only an id', async () => {
    const { run } = await answered(/GET/, 200, { id: '4711' });
    expect((await run('calllog show 4711', { terminal: true })).exit).toBe(0);
  });
});

it('an unexpected failure after a reply is reported as a reply that could not be processed', async () => {
  const { toFailure } = await import('../../src/cli/to-failure.ts');
  const { SeenReplies } = await import('../../src/cli/seen-replies.ts');
  const replies = new SeenReplies();
  expect(toFailure(new TypeError('x is undefined'), replies)).toMatchObject({ code: 'bug', exit: 70 });
  replies.see({ method: 'GET', url: new URL('https://s.example/restapi/v1.0/a') }, 200);
  expect(toFailure(new TypeError('x is undefined'), replies)).toMatchObject({ code: 'bad_reply', exit: 1 });
  replies.see({ method: 'POST', url: new URL('https://s.example/restapi/v1.0/sms') }, 200);
  replies.see({ method: 'POST', url: new URL('https://s.example/webhook/v2/secret') }, 200);
  const failure = toFailure(new TypeError('x is undefined'), replies);
  expect(failure.hint).toContain('the service accepted POST /restapi/v1.0/sms');
  expect(JSON.stringify(failure)).not.toContain('secret');
  replies.see({ method: 'DELETE', url: new URL('https://s.example/team-messaging/v1/webhooks/w1') }, 204);
  expect(toFailure(new TypeError('x is undefined'), replies).hint).toContain(
    'the service accepted DELETE /team-messaging/v1/webhooks/w1',
  );
});

it('a system error after an accepted change does not look as if nothing was changed', async () => {
  const { toFailure } = await import('../../src/cli/to-failure.ts');
  const { SeenReplies } = await import('../../src/cli/seen-replies.ts');
  const code = 'EMFILE';
  const error = Object.assign(new Error('x'), { code, syscall: 'open', path: '/lib/table.cjs' });
  const replies = new SeenReplies();
  replies.see({ method: 'POST', url: new URL('https://s.example/restapi/oauth/token') }, 200);
  replies.see({ method: 'POST', url: new URL('https://s.example/restapi/v1.0/sms') }, 500);
  replies.see(
    { method: 'POST', url: new URL('https://s.example/restapi/v1.0/account/~/audit-trail/search') },
    200,
  );
  replies.see({ method: 'DELETE', url: new URL('https://s.example/restapi/v1.0/subscription/1') }, 200);
  expect(toFailure(error, replies)).toMatchObject({ code: 'local', exit: 12 });
  replies.see({ method: 'POST', url: new URL('https://s.example/restapi/v1.0/sms') }, 200);
  replies.see({ method: 'GET', url: new URL('https://s.example/restapi/v1.0/sms/1') }, 200);
  expect(toFailure(error, replies)).toMatchObject({
    code: 'outcome_unknown',
    exit: 14,
    message:
      'the service accepted POST /restapi/v1.0/sms, but then ucctl failed: cannot use /lib/table.cjs: this process has too many open files (ulimit -n)',
    hint: [
      expect.stringMatching(/^check whether the change was made before you repeat it; then raise the limit/),
    ],
    retryable: false,
    request: { method: 'POST', path: '/restapi/v1.0/sms' },
  });
});
