import { describe, expect, it, onTestFinished } from 'vitest';
import { Interrupted } from '../../../../src/errors/interrupted.ts';
import { faults } from '../../../foreign/web-socket/faults.ts';
import { unprovenSubscriptions, variant } from '../../../foreign/web-socket/variants.ts';
import { MisbehavingService } from '../../../foreign/web-socket/service.ts';
import { eventually } from '../../../support/eventually.ts';
import { runUcctl } from '../../../support/run-ucctl.ts';
import { TurnClock } from '../../../support/turn-clock.ts';

const events = 30;

interface Line {
  readonly origin?: string;
  readonly uuid?: string;
  readonly body?: { readonly changes?: readonly { readonly newMessageIds?: readonly string[] }[] };
}

/** Ids of the messages of the shown events, in their order. */
function shownIds(stdout: string): readonly string[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const { body } = JSON.parse(line) as Line;
      return (body?.changes ?? []).flatMap(({ newMessageIds = [] }) => newMessageIds);
    });
}

/** Services that follow the documents, but not the examples in them. */
const variants = Array.from({ length: 6 }, (_, seed) => variant(seed));

describe.each([...faults(), ...variants])('spec:SOCKET-7 a service with $name', (fault) => {
  it('leads to no lost event, no event that is shown twice, and few requests', async () => {
    const clock = new TurnClock();
    const service = new MisbehavingService(fault, clock.now);
    const origin = await service.listen();
    onTestFinished(() => service.close());
    const stop = new AbortController();
    onTestFinished(() => stop.abort(new Interrupted('SIGINT')));
    let stdout = '';
    let stderr = '';
    const running = runUcctl('subscribe tail --events messages -o ndjson', {
      env: { UCCTL_BASE_URL: origin, UCCTL_TOKEN: 'token-of-the-user-1', UCCTL_DIALECT: 'current' },
      signal: stop.signal,
      now: clock.now,
      sleep: clock.sleep,
      onStdout: (text) => void (stdout += text),
      onStderr: (text) => void (stderr += text),
    });
    // Fails at once if the program ends too early.
    let exit: number | undefined;
    const ended = running.then((result) => (exit = result.exit));
    ended.catch(() => undefined);
    await eventually(() => expect([exit, stderr]).toEqual([undefined, expect.stringContaining('"ready"')]));
    for (let sent = 0; sent < events; sent += 1) {
      service.publish();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await eventually(() => expect(new Set(shownIds(stdout)).size).toBe(events));
    stop.abort(new Interrupted('SIGINT'));
    expect(await ended).toBe(0);
    const shown = shownIds(stdout);
    expect(shown.toSorted()).toEqual([...service.messageIds].toSorted());
    expect(service.reused).toEqual([]);
    expect(service.early).toBe(0);
    expect(service.wstokens).toBeLessThanOrEqual(fault.tokens);
    expect(service.requests.filter((line) => line.includes('/subscription'))).toEqual([]);
    for (const text of fault.says ?? []) expect(stderr).toContain(text);
    // A gap begins at the last sign of life before the lost events.
    for (const [, from = '', to = ''] of stderr.matchAll(/ between (\S+Z) and (\S+Z)/g))
      expect(Date.parse(from)).toBeLessThan(Date.parse(to));
  });
});

describe('spec:SOCKET-4 an answer to a subscription', () => {
  it.each(unprovenSubscriptions)('%s is a failure, and no line is shown', async (_, status, body) => {
    const clock = new TurnClock();
    const response = ({ messageId }: { readonly messageId: string }) => {
      const meta = { type: 'ClientRequest', messageId, ...(status > 0 && { status }) };
      return [JSON.stringify(body === undefined ? [meta] : [meta, body])];
    };
    const service = new MisbehavingService({ name: 'unproven', tokens: 3, response }, clock.now);
    const origin = await service.listen();
    onTestFinished(() => service.close());
    const { exit, stdout, stderr } = await runUcctl('subscribe tail --events messages -o json', {
      env: { UCCTL_BASE_URL: origin, UCCTL_TOKEN: 'token-of-the-user-1', UCCTL_DIALECT: 'current' },
      now: clock.now,
      sleep: clock.sleep,
    });
    expect([exit, stdout]).toEqual([1, '']);
    expect(stderr).toContain('subscription');
    expect(service.wstokens).toBeLessThanOrEqual(3);
  });
});
