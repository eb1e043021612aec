import { describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import { ndjson, openLiveOffice } from '../live-office.ts';

const answers = '+16505550112';

describe('ringout start', () => {
  it('spec:RINGOUT-5: says what will ring, asks, and rings the default number without naming it', async () => {
    const { run, requests } = await openLiveOffice();
    requests();
    const refused = await run(`ringout start --to ${answers}`);
    expect([refused.exit, refused.stdout]).toEqual([9, '']);
    expect(refused.stderr).toContain(`rings your default forwarding number first, then ${answers}`);
    expect(requests()).toEqual([]);
    const { exit, stdout } = await run(`ringout start --to ${answers} --yes -o json`);
    expect([exit, JSON.parse(stdout)]).toMatchObject([
      0,
      { callStatus: 'InProgress', callerStatus: 'InProgress' },
    ]);
  });

  it('spec:RINGOUT-7: playPrompt goes out as asked, or not at all', async () => {
    const { run } = await openLiveOffice();
    const bodyOf = async (flags: string): Promise<unknown> =>
      (
        JSON.parse((await run(`ringout start --to ${answers} ${flags} -n -o json`)).stdout) as {
          body: unknown;
        }
      ).body;
    expect(await bodyOf('')).toEqual({ to: { phoneNumber: answers } });
    expect(await bodyOf('--prompt')).toMatchObject({ playPrompt: true });
    expect(await bodyOf('--no-prompt')).toMatchObject({ playPrompt: false });
    expect(await bodyOf('--from-label "my MOBILE"')).toMatchObject({ from: { phoneNumber: '+16505550140' } });
  });

  it.each([
    ['+12025550101', 'Finished', 'Busy', 'CannotReach', 'is busy'],
    ['+12025550102', 'Finished', 'NoAnswer', 'CannotReach', 'did not answer in time'],
    ['+12025550103', 'Finished', 'Rejected', 'CannotReach', 'refused the call'],
    ['+12025550104', 'Finished', 'GenericError', 'CannotReach', 'failed in the telephone network'],
    ['+12025550105', 'Finished', 'InternationalDisabled', 'CannotReach', 'is not allowed'],
    ['+12025550106', 'Finished', 'Invalid', 'CannotReach', 'is in an unknown state'],
    ['+12025550107', 'Rejected', 'GenericError', 'CannotReach', 'could not be reached'],
    ['+12025550108', 'Finished', 'GenericError', 'NoAnsweringMachine', 'the service itself failed'],
  ])(
    'spec:RINGOUT-20 to RINGOUT-26, RINGOUT-28: --wait=finished to %s ends with 13',
    async (to, caller, callee, call, words) => {
      const { run } = await openLiveOffice();
      const { exit, stdout, stderr } = await run(`ringout start --to ${to} --yes --wait=finished`);
      expect(exit).toBe(13);
      expect(ndjson(stdout).at(-1)).toMatchObject({
        callerStatus: caller,
        calleeStatus: callee,
        callStatus: call,
      });
      expect(stderr).toContain(words);
    },
  );

  it.each([
    ['+12025550101', 'Busy'],
    ['+12025550102', 'NoAnswer'],
    ['+12025550103', 'Rejected'],
    ['+12025550104', 'GenericError'],
    ['+12025550105', 'InternationalDisabled'],
    ['+12025550106', 'Invalid'],
  ])(
    'spec:RINGOUT-20 to RINGOUT-22: a caller %s is %s, and the second leg Rejected',
    async (from, caller) => {
      const { run } = await openLiveOffice();
      const { exit, stdout } = await run(`ringout start --to ${answers} --from ${from} --yes --wait`);
      expect(exit).toBe(13);
      expect(ndjson(stdout).at(-1)).toMatchObject({ callerStatus: caller, calleeStatus: 'Rejected' });
    },
  );

  it('spec:CLIENT-19 --wait ends when the call is connected, --wait=finished when both sides have ended', async () => {
    const connected = await openLiveOffice();
    const first = await connected.run(`ringout start --to ${answers} --yes --wait`);
    expect(first.exit).toBe(0);
    const order = ndjson(first.stdout).map(({ callerStatus, calleeStatus, callStatus }) =>
      [callerStatus, calleeStatus, callStatus].join(' '),
    );
    expect(order).toEqual([
      'InProgress InProgress InProgress',
      'Success InProgress InProgress',
      'Success Success Success',
    ]);
    const finished = await openLiveOffice();
    const second = await finished.run(`ringout start --to ${answers} --yes --wait=finished`);
    expect(second.exit).toBe(0);
    expect(ndjson(second.stdout).at(-1)).toMatchObject({
      callerStatus: 'Finished',
      calleeStatus: 'Finished',
      callStatus: 'Success',
    });
  });

  it.each(['cancelled by somebody', 'ended by the first side'])(
    'spec:RINGOUT-22: a call that is %s while the second side rings ends the wait with 13, Rejected',
    async (how) => {
      const { run, sandbox } = await openLiveOffice();
      let isDone = false;
      const { exit, stdout, stderr } = await run('ringout start --to +12025550111 --yes --wait', {
        onStdout: async (text) => {
          if (isDone || !text.includes('"callerStatus":"Success"')) return;
          isDone = true;
          const { id } = JSON.parse(text) as { id: number };
          if (how.startsWith('cancelled')) await run(`ringout cancel ${id}`);
          else await sandbox.control('POST', '/phones/+16505550140/hangup');
        },
      });
      expect([exit, ndjson(stdout).at(-1)]).toMatchObject([
        13,
        { callStatus: 'CannotReach', calleeStatus: 'Rejected' },
      ]);
      expect(stderr).toContain('callee was cancelled, or refused the call');
    },
  );

  it('spec:CLIENT-12 Ctrl-C just after the called side has answered says how the call stands now', async () => {
    const { run, sandbox } = await openLiveOffice('administrator', { callProgression: 'manual' });
    const stop = new AbortController();
    const { exit, stderr } = await run(`ringout start --to +12025550111 --yes --wait`, {
      signal: stop.signal,
      onStdout: async () => {
        await sandbox.control('POST', '/phones/+16505550140/answer');
        await sandbox.control('POST', '/phones/+12025550111/answer');
        stop.abort(new Interrupted('SIGINT'));
      },
    });
    expect([exit, stderr]).toEqual([
      130,
      expect.stringContaining('was NOT cancelled (both sides were connected'),
    ]);
  });

  it('spec:RINGOUT-27: NoSessionFound ends the wait', async () => {
    const { run } = await openLiveOffice('administrator', { ringOutRetentionMilliseconds: 100 });
    const { stdout } = await run(
      'ringout start --to +12025550109 --yes --wait=finished --interval 60 --wait-timeout 1h',
    );
    expect(ndjson(stdout).at(-1)).toMatchObject({
      calleeStatus: 'NoSessionFound',
      callerStatus: 'NoSessionFound',
    });
  });

  it('spec:RINGOUT-26: a call abroad without it ends with 13 and the words for it', async () => {
    const { run } = await openLiveOffice('107');
    const { exit, stderr } = await run('ringout start --to +442079460000 --yes --wait');
    expect([exit, stderr]).toEqual([13, expect.stringContaining('are disabled')]);
  });

  it('ends with 13 when the time is up, and the call goes on', async () => {
    const { run } = await openLiveOffice();
    const { exit, stderr } = await run('ringout start --to +12025550111 --yes --wait --wait-timeout 30s');
    expect(exit).toBe(13);
    expect(stderr).toContain('the time is up');
    expect(stderr).toMatch(/ucctl ringout cancel \d+/);
  });

  it('spec:CLIENT-12 Ctrl-C cancels the call and says so', async () => {
    const { run, requests } = await openLiveOffice();
    const stop = new AbortController();
    const { exit, stderr } = await run('ringout start --to +12025550111 --yes --wait', {
      signal: stop.signal,
      onStdout: (text) => {
        if (text.includes('"callerStatus":"Success"')) stop.abort(new Interrupted('SIGINT'));
      },
    });
    expect([exit, stderr]).toEqual([130, expect.stringContaining('was cancelled')]);
    expect(requests().at(-1)).toMatch(/^DELETE .*\/ringout\/\d+$/);
  });

  it('spec:CLIENT-12 Ctrl-C after the called side has answered says that the call was not cancelled', async () => {
    const { run } = await openLiveOffice();
    const stop = new AbortController();
    const { exit, stderr } = await run(`ringout start --to ${answers} --yes --wait=finished`, {
      signal: stop.signal,
      onStdout: (text) => {
        if (text.includes('"callStatus":"Success"')) stop.abort(new Interrupted('SIGINT'));
      },
    });
    expect([exit, stderr]).toEqual([
      130,
      expect.stringContaining('was NOT cancelled (both sides were connected'),
    ]);
  });

  it('ends with 14 when the answer is lost', async () => {
    const loses =
      (send: HttpSend): HttpSend =>
      async (request) => {
        const reply = await send(request);
        if (request.method !== 'POST') return reply;
        throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
      };
    const { run, requests } = await openLiveOffice('administrator', {}, loses);
    const { exit, stderr } = await run(`ringout start --to ${answers} --yes`);
    expect([exit, stderr]).toEqual([14, expect.stringContaining('ucctl calllog')]);
    expect(requests().filter((line) => line.startsWith('POST'))).toHaveLength(1);
  });

  it("passes on the service's words where there is no default number", async () => {
    const { run } = await openLiveOffice('106');
    const { exit, stderr } = await run(`ringout start --to ${answers} --yes`);
    expect([exit, stderr]).toEqual([1, expect.stringContaining('no default forwarding number')]);
  });

  it.each([
    ['--to 0', 'is not an E.164 number'],
    [`--to ${answers} --from x`, 'is not an E.164 number'],
    [`--to ${answers} --from ${answers} --from-label x`, 'cannot be given together'],
    [`--to ${answers} --wait=later`, '--wait does not take "later"'],
  ])('with %s ends with 2 and sends nothing', async (flags, words) => {
    const { run, requests } = await openLiveOffice();
    requests();
    const { exit, stderr } = await run(`ringout start ${flags} --yes`);
    expect([exit, requests()]).toEqual([2, []]);
    expect(stderr).toContain(words);
  });
});

describe('ringout status, cancel and numbers', () => {
  it('spec:RINGOUT-3, RINGOUT-30: cancels while the callee is InProgress, explains when it is not', async () => {
    const { run } = await openLiveOffice();
    const start = async (to: string): Promise<string> =>
      String((JSON.parse((await run(`ringout start --to ${to} --yes -o json`)).stdout) as { id: number }).id);
    const ringing = await start('+12025550111');
    const cancelled = await run(`ringout cancel ${ringing} -o json`);
    expect([cancelled.exit, JSON.parse(cancelled.stdout)]).toMatchObject([0, { calleeStatus: 'Rejected' }]);
    const over = await run(`ringout cancel ${ringing}`);
    expect([over.exit, over.stderr]).toEqual([11, expect.stringContaining('cannot be cancelled')]);
    const { stdout } = await run(`ringout status ${ringing} -o json`);
    expect(JSON.parse(stdout)).toMatchObject({
      explanation: expect.stringContaining('callee was cancelled') as string,
    });
  });

  it('says which call is not there', async () => {
    const { run } = await openLiveOffice();
    const { exit, stderr } = await run('ringout status 999');
    expect([exit, stderr]).toEqual([3, expect.stringContaining('a call that is over is soon forgotten')]);
    expect((await run('ringout cancel 999')).exit).toBe(3);
  });

  it('spec:RINGOUT-11: forwarding numbers with CallForwarding are usable', async () => {
    const { run } = await openLiveOffice('102');
    const { stdout } = await run('ringout numbers');
    expect(stdout).toBe('+16505550142\tMy mobile\tMobile\n+16505550152\tHome\tHome\n');
    const none = await openLiveOffice('106');
    expect((await none.run('ringout numbers -o json')).stdout).toBe('[]\n');
    expect(
      (await none.run('ringout start --to +16505550112 --from-label "Front door buzzer" --yes')).exit,
    ).toBe(3);
  });
});
