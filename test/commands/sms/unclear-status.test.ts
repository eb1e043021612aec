import { describe, expect, it } from 'vitest';
import { fakeReply } from '../../support/fake-service.ts';
import { openOffice } from '../office.ts';

const sms = 'sms send --to +16505550112 hello --yes --wait';
const fax = 'fax send --to +16505550299 LICENSE --yes --wait';
type Body = Readonly<Record<string, unknown>>;

/** A service whose receipt is the first body; each look at the message gets the next one, the last one again and again. */
async function served(line: string, ...bodies: readonly Body[]) {
  let looks = 0;
  let elapsed = 0;
  const { run } = await openOffice('administrator', (send) => (request) => {
    const isLook = /message-store\/\d+$/.test(request.url.pathname);
    if (request.method !== 'POST' && !isLook) return send(request);
    if (isLook) looks += 1;
    return Promise.resolve(fakeReply({ status: 200, body: bodies[Math.min(looks, bodies.length - 1)] }));
  });
  const start = Date.UTC(2026, 0, 5, 9);
  const result = await run(line, {
    now: () => start + elapsed,
    sleep: (milliseconds) => {
      elapsed += milliseconds;
      return Promise.resolve();
    },
  });
  return { ...result, looks, elapsed };
}

describe('--wait continues to poll until the status is final', () => {
  it.each<readonly [string, string, Body]>([
    [sms, 'missing', { id: 77 }],
    [sms, 'Sent without a type', { id: 77, messageStatus: 'Sent' }],
    [sms, 'not documented', { id: 77, type: 'SMS', messageStatus: 'Sending' }],
    [fax, 'missing', { id: 77 }],
    [fax, 'not documented', { id: 77, type: 'Fax', messageStatus: 'Sending' }],
  ])('%s: a status that is %s, then a final one', async (line, _, unclear) => {
    const final = line === sms ? { messageStatus: 'Delivered' } : { messageStatus: 'Sent' };
    const { exit, looks } = await served(`${line} -o json`, unclear, unclear, { id: 77, ...final });
    expect([exit, looks]).toEqual([0, 2]);
  });

  it.each<readonly [string, Body, string]>([
    [sms, { id: 77 }, 'text 77: still in an unknown state'],
    [sms, { id: 77, messageStatus: 'Sent' }, 'text 77: sent, but no delivery report arrived in time'],
    [sms, { id: 77, type: 'SMS', messageStatus: 'Sending' }, 'text 77: still Sending'],
    [fax, { id: 77 }, 'fax 77: still in an unknown state'],
    [fax, { id: 77, messageStatus: 'Queued' }, 'fax 77: still queued for sending'],
  ])('%s: until the timeout, for %j', async (line, body, says) => {
    const { exit, stderr, stdout, elapsed } = await served(`${line} --wait-timeout 20s -o json`, body);
    expect([exit, elapsed]).toEqual([13, 20_000]);
    expect(stderr).toContain(says);
    expect(stderr).toContain(line === sms ? 'ucctl message show 77' : 'ucctl fax status 77');
    expect(stderr).not.toContain('undefined');
    // What is shown is what was served: no type is added.
    expect(Object.keys(JSON.parse(stdout) as object).includes('type')).toBe('type' in body);
  });

  it.each<readonly [string, Body]>([
    [sms, { id: 77, messageStatus: 'DeliveryFailed' }],
    [sms, { id: 77, messageStatus: 'SendingFailed' }],
    [fax, { id: 77, messageStatus: 'SendingFailed' }],
  ])('%s: ends at once for %j', async (line, body) => {
    expect(await served(line, body)).toMatchObject({ exit: 13, looks: 0, elapsed: 0 });
  });
});

describe('a recipient whose status is that of a failure', () => {
  const pager = 'pager send --to 104 hello --yes';
  const reached = { phoneNumber: '+16505550112', messageStatus: 'Sent' };
  const missed = (messageStatus: string) => ({ phoneNumber: '+16505550113', messageStatus });
  const notSent = '+16505550113: could not be sent';
  const notDelivered = '+16505550113: sent, but not delivered to the phone';
  const body = (type: string, messageStatus: string, status: string): Body => ({
    id: 77,
    type,
    messageStatus,
    to: [reached, missed(status)],
  });
  const sentFax = body('Fax', 'Sent', 'SendingFailed');
  const queuedFax = body('Fax', 'Queued', 'SendingFailed');
  const deliveredText = body('SMS', 'Delivered', 'DeliveryFailed');
  const resend = 'ucctl fax resend 77 --to NUMBER';
  const show = 'to show the reason and all recipients: ucctl message show 77';
  const later = 'to check the status later: ucctl message show 77';

  it.each<readonly [string, Body, string, string]>([
    [fax, sentFax, `fax: sent; ${notSent}`, resend],
    ['fax status 77 --wait', sentFax, `fax: sent; ${notSent}`, resend],
    [`${fax} --wait-timeout 20s`, queuedFax, `fax: queued for sending; ${notSent}`, 'ucctl fax status 77'],
    [fax.replace(' --wait', ''), queuedFax, `fax: queued for sending; ${notSent}`, 'ucctl fax status 77'],
    [sms, deliveredText, `text: delivered to the phone; ${notDelivered}`, show],
    [sms, body('SMS', 'Sent', 'DeliveryFailed'), `text: sent; ${notDelivered}`, later],
    [
      sms.replace(' --wait', ''),
      body('SMS', 'Queued', 'SendingFailed'),
      `text: queued for sending; ${notSent}`,
      later,
    ],
    [pager, body('Pager', 'Sent', 'SendingFailed'), `message: sent; ${notSent}`, show],
  ])('%s exits with 8 and names the recipient of %j', async (line, reply, words, hint) => {
    const { exit, stderr } = await served(line, reply);
    expect([exit, stderr]).toEqual([
      8,
      expect.stringContaining(`1 of 2 recipients did not receive the ${words}`),
    ]);
    expect(stderr).toContain(hint);
  });

  it('is named by fax status', async () => {
    const { exit, stdout } = await served('fax status 77 -o csv', sentFax);
    expect([exit, stdout]).toEqual([0, expect.stringContaining(`sent; ${notSent}`)]);
  });

  it.each(['sms list', 'message list'])(
    'is counted in the status and before the text by %s',
    async (line) => {
      const listed = (id: number, to: readonly Body[]): Body => ({
        id,
        type: 'SMS',
        direction: 'Outbound',
        messageStatus: 'Sent',
        subject: `Hello ${id}`,
        from: { phoneNumber: '+16505550110' },
        to,
        creationTime: '2026-01-05T08:00:00.000Z',
      });
      const records = [
        listed(77, [reached, missed('DeliveryFailed')]),
        listed(78, [reached, { ...reached, phoneNumber: '+16505550114' }]),
      ];
      const { run } = await openOffice('administrator', (send) => (request) => {
        const { pathname } = request.url;
        if (pathname.endsWith('/77')) return Promise.resolve(fakeReply({ status: 200, body: records[0] }));
        if (!pathname.endsWith('/message-store')) return send(request);
        return Promise.resolve(fakeReply({ status: 200, body: { records, paging: {}, navigation: {} } }));
      });
      const { stdout } = await run(line, { terminal: 200, env: { NO_COLOR: '1' } });
      expect(stdout).toMatch(/77 .*Sent \(1 of 2 failed\) .*\(not received by 1 of 2 recipients\) Hello 77/);
      expect(stdout).toMatch(/78 .*Sent  .*  Hello 78/);
      // Programs get the documented status.
      const csv = await run(`${line} -o csv`);
      expect([csv.exit, csv.stdout]).toEqual([0, expect.not.stringContaining('failed')]);
      const record = await run('message show 77', { terminal: 200, env: { NO_COLOR: '1' } });
      expect(record.stdout).toContain('Sent (1 of 2 failed)');
    },
  );

  it.each(['fax list', 'message list'])(
    'is counted by %s only if the service does not send the fax again',
    async (line) => {
      const listed = (id: number, messageStatus: string): Body => ({
        id,
        type: 'Fax',
        direction: 'Outbound',
        messageStatus,
        from: { phoneNumber: '+16505550110' },
        to: [reached, { ...missed(messageStatus), faxErrorCode: 'NoAnswer' }],
        creationTime: '2026-01-05T08:00:00.000Z',
      });
      const records = [listed(77, 'Queued'), listed(78, 'Sent')];
      const { run } = await openOffice(
        'administrator',
        (send) => (request) =>
          request.url.pathname.endsWith('/message-store')
            ? Promise.resolve(fakeReply({ status: 200, body: { records, paging: {}, navigation: {} } }))
            : send(request),
      );
      const { stdout } = await run(line, { terminal: 200, env: { NO_COLOR: '1' } });
      const [queued, sent] = [77, 78].map((id) => stdout.split('\n').find((row) => row.includes(`${id} `)));
      expect(queued).toMatch(/Queued /);
      expect(queued).not.toMatch(/failed|not received/);
      expect(sent).toContain('Sent (1 of 2 failed)');
    },
  );

  it.each(['SendingFailed', 'DeliveryFailed'])('is not named if all have the status %s', async (status) => {
    const reply = { id: 77, type: 'SMS', messageStatus: status, to: [missed(status)] };
    const { exit, stderr } = await served(sms, reply);
    expect([exit, stderr]).toEqual([13, expect.not.stringContaining('+16505550113: ')]);
  });

  it.each([fax.replace(' --wait', ''), `${fax} --wait-timeout 20s`])(
    '%s exits with 13 if no recipient is left',
    async (line) => {
      const reply = { id: 77, type: 'Fax', messageStatus: 'Queued', to: [missed('SendingFailed')] };
      const { exit, stderr } = await served(line, reply);
      expect([exit, stderr]).toEqual([13, expect.stringContaining(`queued for sending; ${notSent}`)]);
    },
  );

  it.each<readonly [string, Body]>([
    ['Queued', { messageStatus: 'Queued' }],
    ['missing', {}],
    ['not documented', { messageStatus: 'Sending' }],
  ])('is named at the timeout if the status of another recipient is %s', async (_, open) => {
    for (const [line, type, noun] of [
      [fax, 'Fax', 'fax'],
      [sms, 'SMS', 'text'],
    ] as const) {
      const to = [missed('SendingFailed'), { phoneNumber: '+16505550112', ...open }];
      const reply = { id: 77, type, messageStatus: 'Queued', to };
      const { exit, stderr } = await served(`${line} --wait-timeout 20s`, reply);
      expect([exit, stderr]).toEqual([
        13,
        expect.stringContaining(`${noun} 77: still queued for sending; ${notSent}\n`),
      ]);
      expect(stderr).toContain('wait longer with --wait-timeout');
    }
  });
});

describe('a recipient with the error code of a fax', () => {
  const busy = (more: Body) => ({ phoneNumber: '+16505550113', faxErrorCode: 'LineBusy', ...more });
  const reply = (messageStatus: string, ...to: readonly Body[]) => ({
    id: 77,
    type: 'Fax',
    messageStatus,
    to,
  });

  it('and those that failed did not receive a fax that was sent', async () => {
    for (const to of [
      [busy({}), busy({})],
      [busy({}), { messageStatus: 'SendingFailed' }],
    ]) {
      const { exit, stderr } = await served(fax, reply('Sent', ...to));
      expect([exit, stderr]).toEqual([13, expect.stringContaining('2 of 2 recipients did not receive')]);
    }
    const { exit, stderr } = await served(fax, reply('Sent', busy({}), { messageStatus: 'Sent' }));
    expect([exit, stderr]).toEqual([8, expect.stringContaining('1 of 2 recipients did not receive')]);
  });

  it.each<Body>([{}, { messageStatus: 'Queued' }])(
    'has not failed while the fax is queued: %j',
    async (status) => {
      const queued = reply('Queued', busy(status));
      expect(await served(fax.replace(' --wait', ''), queued)).toMatchObject({ exit: 0 });
      const { exit, stderr } = await served(`${fax} --wait-timeout 20s`, queued);
      expect([exit, stderr]).toEqual([
        13,
        expect.stringContaining('fax 77: still queued for sending; +16505550113: the line was busy\n'),
      ]);
    },
  );
});

it.each(['status', 'resend', 'cancel'])('fax %s reports an unknown type of a message', async (verb) => {
  const { exit, stderr } = await served(`fax ${verb} 5${verb === 'resend' ? ' --yes' : ''}`, { id: 5 });
  expect(exit).toBe(3);
  expect(stderr).toContain('ucctl cannot determine whether message 5 is a fax: the reply has no type');
  expect(stderr).not.toContain('undefined');
});
