import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const send = 'sms send --to +16505550112 hello --yes';
const second = 1000;

type Network = 'works' | 'loses the request' | 'loses the answer' | 'shows a sign-in page';
/** What happens while the request waits for an answer. */
type Meanwhile = () => Promise<unknown>;

/** Two machines of one user, whose clocks agree with that of the service. */
async function twoMachines() {
  let network: Network = 'works';
  let meanwhile: Meanwhile = () => Promise.resolve();
  const { run, sandbox } = await openOffice('administrator', (inner) => async (request) => {
    if (request.method !== 'POST' || network === 'works') return inner(request);
    if (network === 'shows a sign-in page') return fakeReply({ status: 200, body: { login: 'x' } });
    if (network === 'loses the answer') await inner(request).then((reply) => reply.text());
    await meanwhile();
    throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
  });
  const machine = () => {
    const paths = temporaryPaths();
    return async (line: string, how: Network = 'works', during: Meanwhile = () => Promise.resolve()) => {
      network = how;
      meanwhile = during;
      const result = await run(line, { paths, now: () => sandbox.clock.now() });
      network = 'works';
      return result;
    };
  };
  const state = async (one: ReturnType<typeof machine>, flag = '--sole-sender') => {
    const { exit, stdout } = await one(`outcome resolve --all ${flag} -o json`);
    const rows = JSON.parse(stdout) as { id: number; state: string; reason?: string }[];
    const states = rows.toSorted((a, b) => a.id - b.id).map((row) => row.state);
    return { exit, states, reasons: rows.map(({ reason }) => reason ?? '').join(' ') };
  };
  return { sandbox, one: machine(), other: machine(), state };
}

describe('a text that another machine of the user sent as well', () => {
  it('later is not matched to the text without a reply', async () => {
    const { sandbox, one, other, state } = await twoMachines();
    expect((await one(send, 'loses the request')).exit).toBe(14);
    await sandbox.clock.advance(3 * second);
    expect((await other(send)).exit).toBe(0);
    await sandbox.clock.advance(60 * second);
    const resolved = await state(one);
    expect(resolved).toMatchObject({ exit: 14, states: ['unknown'] });
    expect(resolved.reasons).toContain('--as sent, or --as not-sent');
  });

  it('earlier is not matched to the text without a reply', async () => {
    const { sandbox, one, other, state } = await twoMachines();
    await other(send);
    await sandbox.clock.advance(3 * second);
    await one(send, 'loses the request');
    await sandbox.clock.advance(60 * second);
    expect(await state(one)).toMatchObject({ exit: 14, states: ['unknown'] });
  });

  /** The other machine sends the same text while the request waits for an answer, which never comes. */
  const hanging =
    (sandbox: Awaited<ReturnType<typeof twoMachines>>['sandbox'], send: Meanwhile) => async () => {
      await sandbox.clock.advance(3 * second);
      await send();
      await sandbox.clock.advance(3 * second);
    };

  it('while the request hung is not matched to it', async () => {
    const { sandbox, one, other, state } = await twoMachines();
    expect(
      (
        await one(
          send,
          'loses the request',
          hanging(sandbox, () => other(send)),
        )
      ).exit,
    ).toBe(14);
    expect(sandbox.messages().filter(({ direction }) => direction === 'Outbound')).toHaveLength(1);
    await sandbox.clock.advance(60 * second);
    const resolved = await state(one);
    expect(resolved).toMatchObject({ exit: 14, states: ['unknown'] });
    expect(resolved.reasons).toContain(
      'the service created the message about 2.5 s after this request started, and a match is created at most 2 s after the start',
    );
    expect(resolved.reasons).toContain('--as sent, or --as not-sent');
  });

  it('does not hide that the text arrived while its reply hung', async () => {
    const { sandbox, one, state } = await twoMachines();
    await one(
      send,
      'loses the answer',
      hanging(sandbox, () => Promise.resolve()),
    );
    await sandbox.clock.advance(60 * second);
    expect(await state(one)).toMatchObject({ exit: 0, states: ['sent'] });
  });

  it('is distinguished from a later text of this machine', async () => {
    const { sandbox, one, state } = await twoMachines();
    const again = hanging(sandbox, async () => (await one(send, 'loses the answer')).exit);
    await one(send, 'loses the request', again);
    await sandbox.clock.advance(60 * second);
    expect(await state(one)).toMatchObject({ exit: 0, states: ['not-sent', 'sent'] });
  });

  it('leaves the outcome unknown when both are found', async () => {
    const { sandbox, one, other, state } = await twoMachines();
    await one(send, 'loses the answer');
    await other(send);
    await sandbox.clock.advance(60 * second);
    const resolved = await state(one);
    expect(resolved).toMatchObject({ exit: 14, states: ['unknown'] });
    expect(resolved.reasons).toContain('another machine may have sent one of them');
  });

  it('does not matter when this machine knows the outcome', async () => {
    const { sandbox, one, state } = await twoMachines();
    await one(send);
    await sandbox.clock.advance(3 * second);
    await one(send, 'loses the answer');
    await sandbox.clock.advance(60 * second);
    expect(await state(one)).toMatchObject({ exit: 0, states: ['sent'] });
  });
});

describe('without --sole-sender', () => {
  const remedy = 'if only this machine sends texts for this user: ucctl outcome resolve 1 --sole-sender';

  it.each([0, 100, 400, 1000])('a text of another machine %i ms later is not matched', async (gap) => {
    const { sandbox, one, other, state } = await twoMachines();
    await one(send, 'loses the request', async () => {
      await sandbox.clock.advance(gap);
      await other(send);
    });
    await sandbox.clock.advance(60 * second);
    const resolved = await state(one, '');
    expect(resolved).toMatchObject({ exit: 14, states: ['unknown'] });
    expect(resolved.reasons).toContain('another machine or app of this user may have sent that message');
    expect(resolved.reasons).toContain(remedy);
    expect(resolved.reasons).toContain('--as sent, or --as not-sent');
  });

  it('a text of another machine just before is not matched', async () => {
    const { sandbox, one, other, state } = await twoMachines();
    await other(send);
    await sandbox.clock.advance(300);
    await one(send, 'loses the request');
    await sandbox.clock.advance(60 * second);
    expect(await state(one, '')).toMatchObject({ exit: 14, states: ['unknown'] });
  });

  it('a text that arrived stays unknown until the user excludes other machines', async () => {
    const { sandbox, one, state } = await twoMachines();
    await one(send, 'loses the answer');
    await sandbox.clock.advance(60 * second);
    expect(await state(one, '')).toMatchObject({ exit: 14, states: ['unknown'] });
    expect(await state(one)).toMatchObject({ exit: 0, states: ['sent'] });
  });

  it('a text that nobody sent is not sent', async () => {
    const { sandbox, one, state } = await twoMachines();
    await one(send, 'loses the request');
    await sandbox.clock.advance(60 * second);
    expect(await state(one, '')).toMatchObject({ exit: 0, states: ['not-sent'] });
  });

  it('a text whose only match belongs to a text with a reply is not sent', async () => {
    const { sandbox, one, state } = await twoMachines();
    await one(send);
    await one(send, 'loses the request');
    await sandbox.clock.advance(60 * second);
    expect(await state(one, '')).toMatchObject({ exit: 0, states: ['not-sent'] });
  });
});

describe('a dedupe key whose text got no receipt', () => {
  const keyed = `${send} --dedupe-key order-7`;

  it('can be used again if the text was not sent', async () => {
    const { sandbox, one, state } = await twoMachines();
    expect((await one(keyed, 'shows a sign-in page')).exit).toBe(14);
    const again = await one(keyed);
    expect([again.exit, again.stderr]).toEqual([11, expect.stringContaining('ucctl outcome resolve 1')]);
    await sandbox.clock.advance(60 * second);
    expect(await state(one)).toMatchObject({ exit: 0, states: ['not-sent'] });
    expect((await one(keyed)).exit).toBe(0);
  });

  it('stays used if the text was sent', async () => {
    const { sandbox, one, state } = await twoMachines();
    expect((await one(keyed, 'loses the answer')).exit).toBe(14);
    await sandbox.clock.advance(60 * second);
    expect(await state(one)).toMatchObject({ exit: 0, states: ['sent'] });
    expect((await one(keyed)).exit).toBe(11);
  });
});

describe('outcome resolve --as', () => {
  const fax = 'fax send --to +16505550112 LICENSE --yes --dedupe-key fax-1';

  it('releases the key of a send that cannot be looked up', async () => {
    const { one } = await twoMachines();
    expect((await one(fax, 'shows a sign-in page')).exit).toBe(14);
    expect((await one('outcome resolve 1')).exit).toBe(14);
    const settled = await one('outcome resolve 1 --as not-sent -o json');
    expect([settled.exit, JSON.parse(settled.stdout)]).toMatchObject([0, [{ id: 1, state: 'not-sent' }]]);
    expect((await one(fax)).exit).toBe(0);
  });

  it('changes no known outcome, and requires ids', async () => {
    const { one } = await twoMachines();
    await one(send);
    expect((await one('outcome resolve 1 --as not-sent')).exit).toBe(11);
    expect((await one('outcome resolve 1 --as failed')).exit).toBe(2);
    expect((await one('outcome resolve --all --as sent')).exit).toBe(2);
    expect((await one('outcome resolve --as sent')).exit).toBe(2);
    expect((await one('outcome resolve 1 --as sent --sole-sender')).exit).toBe(2);
    expect((await one('outcome resolve 9 --as sent')).exit).toBe(3);
    expect(JSON.parse((await one('outcome list -o json')).stdout)).toMatchObject([{ state: 'sent' }]);
  });
});
