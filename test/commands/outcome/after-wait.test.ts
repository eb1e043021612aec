import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import type { RunResult } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const minute = 60_000;
const to = '+16505550112';
const keyed = `sms send --to ${to} hello --yes --dedupe-key order-1`;

type Meanwhile = () => Promise<unknown>;

/** The service reports its time, as every server does. */
function dated(reply: HttpReply, time: number): HttpReply {
  const date = new Date(time).toUTCString();
  return { ...reply, header: (name) => (name === 'date' ? date : reply.header(name)) };
}

/** A machine whose first send must wait for the rate limit. */
async function machine() {
  let isLimited = true;
  let onSend: Meanwhile = () => Promise.resolve();
  let time = 0;
  const { run, sandbox } = await openOffice('administrator', (inner) => async (request) => {
    if (request.method !== 'POST') return dated(await inner(request), time);
    if (isLimited) {
      isLimited = false;
      return dated(fakeReply({ status: 429, body: {}, headers: { 'retry-after': '60' } }), time);
    }
    await onSend();
    return dated(await inner(request), time);
  });
  time = sandbox.clock.now();
  const paths = temporaryPaths();
  let duringWait: Meanwhile = () => Promise.resolve();
  const ucctl = (line: string, stdin?: string): Promise<RunResult> =>
    run(line, {
      paths,
      now: () => time,
      ...(stdin !== undefined && { stdin }),
      sleep: async (milliseconds) => {
        time += milliseconds;
        const work = duringWait;
        duringWait = () => Promise.resolve();
        await work();
      },
    });
  const outcomes = async (): Promise<readonly string[]> => {
    const { stdout } = await ucctl('outcome list -o json');
    return (JSON.parse(stdout) as { state: string }[]).map(({ state }) => state);
  };
  const texts = (): number => sandbox.messages().filter(({ direction }) => direction === 'Outbound').length;
  return {
    ucctl,
    outcomes,
    texts,
    suspend: (milliseconds: number) => (time += milliseconds),
    whileWaiting: (work: Meanwhile) => (duringWait = work),
    beforeReply: (work: Meanwhile) => (onSend = work),
  };
}

describe('a send that was suspended for hours while it waited for the rate limit', () => {
  it('is not sent if its outcome was resolved and the text was sent again meanwhile', async () => {
    const { ucctl, outcomes, texts, suspend, whileWaiting } = await machine();
    const before = texts();
    whileWaiting(async () => {
      suspend(121 * minute);
      expect((await ucctl('outcome resolve --all')).exit).toBe(0);
      expect(await outcomes()).toEqual(['not-sent']);
      expect((await ucctl(keyed)).exit).toBe(0);
    });
    const late = await ucctl(keyed);
    expect(texts() - before).toBe(1);
    expect(late.exit).toBe(11);
    expect(late.stderr).toContain('nothing was sent: outcome 1 was resolved as not-sent');
    expect(await outcomes()).toEqual(['sent', 'not-sent']);
  });

  it('does not overwrite the outcome that the user recorded', async () => {
    const { ucctl, outcomes, texts, suspend, whileWaiting } = await machine();
    const before = texts();
    whileWaiting(async () => {
      suspend(121 * minute);
      expect((await ucctl('outcome resolve 1 --as sent')).exit).toBe(0);
    });
    expect((await ucctl(keyed)).exit).toBe(11);
    expect(texts() - before).toBe(0);
    expect(await outcomes()).toEqual(['sent']);
  });

  it('is sent if nothing resolved its outcome, which does not count as unknown while it is sent', async () => {
    const { ucctl, outcomes, texts, suspend, whileWaiting, beforeReply } = await machine();
    const before = texts();
    whileWaiting(async () => {
      suspend(121 * minute);
      expect(await outcomes()).toEqual(['unknown']);
    });
    let during: readonly string[] = [];
    beforeReply(async () => {
      during = await outcomes();
    });
    expect((await ucctl(keyed)).exit).toBe(0);
    expect(during).toEqual(['sending']);
    expect(texts() - before).toBe(1);
  });

  it('does not end the list that it belongs to, whose resumption sends it', async () => {
    const { ucctl, texts, suspend, whileWaiting } = await machine();
    const before = texts();
    whileWaiting(async () => {
      suspend(121 * minute);
      expect((await ucctl('outcome resolve --all')).exit).toBe(0);
    });
    const list = await ucctl(
      'sms send -f - --template hello --yes --concurrency 1 -o json',
      `to\n${to}\n+16505550113\n`,
    );
    expect(list.exit).toBe(14);
    expect(list.stdout).toContain('was resolved as not-sent');
    expect(texts() - before).toBe(1);
    // The resumption uses the resolution.
    expect((await ucctl('sms send --resume last --yes')).exit).toBe(0);
    expect(texts() - before).toBe(2);
  });
});
