import { describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { ndjson, openLiveOffice } from '../live-office.ts';
import { openOffice } from '../office.ts';

const answers = '+16505550112';

/** A service that deletes a call as soon as it was canceled. */
function deletesCancelled(): (send: HttpSend) => HttpSend {
  let isCancelled = false;
  return (send) => async (request) => {
    if (request.method === 'DELETE') isCancelled = true;
    if (isCancelled && request.method === 'GET') {
      const body = { errorCode: 'CMN-102', message: 'Resource not found' };
      return fakeReply({ status: 404, headers: { 'content-type': 'application/json' }, body });
    }
    return send(request);
  };
}

describe('ringout start', () => {
  it('spec:CURRENT-10, RINGOUT-5: shows what will ring, asks, and names the first forwarding number', async () => {
    const { run, requests } = await openLiveOffice();
    requests();
    const declined = await run(`ringout start --to ${answers}`);
    expect([declined.exit, declined.stdout]).toEqual([9, '']);
    expect(declined.stderr).toContain(`The call rings +16505550140 first, then ${answers}.`);
    expect(requests()).toEqual([expect.stringContaining('/forwarding-number')]);
    const { exit, stdout } = await run(`ringout start --to ${answers} --yes -o json`);
    expect([exit, JSON.parse(stdout)]).toMatchObject([
      0,
      { callStatus: 'InProgress', callerStatus: 'InProgress' },
    ]);
  });

  it('spec:RINGOUT-7: playPrompt is sent as requested, or omitted', async () => {
    const { run } = await openLiveOffice();
    const bodyOf = async (flags: string): Promise<unknown> =>
      (
        JSON.parse((await run(`ringout start --to ${answers} ${flags} -n -o json`)).stdout) as {
          body: unknown;
        }
      ).body;
    expect(await bodyOf('')).toEqual({ from: { phoneNumber: '+16505550140' }, to: { phoneNumber: answers } });
    expect(await bodyOf('--prompt')).toMatchObject({ playPrompt: true });
    expect(await bodyOf('--no-prompt')).toMatchObject({ playPrompt: false });
    expect(await bodyOf('--from-label "my MOBILE"')).toMatchObject({ from: { phoneNumber: '+16505550140' } });
  });

  it('spec:RINGOUT-31: --caller-id sends one of the numbers that caller-ids lists, only in dialect current', async () => {
    const { run, sandbox } = await openOffice('administrator', undefined, ':memory:', { dialect: 'current' });
    const listed = await run('ringout caller-ids --dialect current -o json');
    const numbers = (JSON.parse(listed.stdout) as { phoneNumber: string }[]).map((one) => one.phoneNumber);
    expect(numbers).toContain('+16505550100');
    const start = `ringout start --to ${answers} --caller-id '+1 (650) 555-0100'`;
    const { exit, stderr } = await run(`${start} --dialect current --yes -o json`);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('The other party sees +16505550100.')]);
    expect(sandbox.requestLog().at(-1)).toMatchObject({ operation: 'startRingOut', status: 200, unread: [] });
    const inSpec = await run(`${start} --dialect spec --yes`);
    expect([inSpec.exit, inSpec.stdout]).toEqual([2, '']);
    expect(inSpec.stderr).toContain('--caller-id requires dialect current');
    const other = await run(`ringout start --to ${answers} --caller-id +14155550188 --dialect current --yes`);
    expect([other.exit, other.stdout]).toEqual([1, '']);
    expect(other.stderr).toContain('[callerId.phoneNumber]');
  });

  it.each([
    ['+12025550101', 'Finished', 'Busy', 'CannotReach', 'is busy'],
    ['+12025550102', 'Finished', 'NoAnswer', 'CannotReach', 'did not answer in time'],
    ['+12025550103', 'Finished', 'Rejected', 'CannotReach', 'rejected the call'],
    ['+12025550104', 'Finished', 'GenericError', 'CannotReach', 'failed in the phone network'],
    ['+12025550105', 'Finished', 'InternationalDisabled', 'CannotReach', 'is not allowed'],
    ['+12025550106', 'Finished', 'Invalid', 'CannotReach', 'is in an unknown state'],
    ['+12025550107', 'Rejected', 'GenericError', 'CannotReach', 'could not be reached'],
    ['+12025550108', 'Finished', 'GenericError', 'NoAnsweringMachine', 'the service failed'],
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

  it.each([
    [answers, '', 0, { callStatus: 'Success' }],
    [answers, '--jq .callStatus', 0, 'Success'],
    ['+12025550101', '', 13, { calleeStatus: 'Busy' }],
  ])('-o json --wait prints one document, the final status: %s %s', async (to, flags, code, expected) => {
    const { run } = await openLiveOffice();
    const { exit, stdout } = await run(`ringout start --to ${to} --yes --wait -o json ${flags}`);
    const document: unknown = flags.startsWith('--jq') ? stdout.trim() : JSON.parse(stdout);
    expect([exit, document]).toMatchObject([code, expected]);
  });

  it.each(['json', 'ndjson'])(
    'a --jq that fails says nothing about a call that was placed: exit 14, -o %s',
    async (format) => {
      const { run } = await openLiveOffice();
      const { exit, stderr } = await run(
        `ringout start --to ${answers} --yes --wait -o ${format} --jq .callStatus[]`,
      );
      expect([exit, stderr]).toEqual([14, expect.stringContaining('"code":"outcome_unknown"')]);
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

  it.each([
    [answers, '', 0, 'Success'],
    [answers, '=finished', 0, 'Finished'],
    ['+12025550101', '=finished', 13, 'Busy'],
  ])('ends the wait by the legs if the call has no status: %s --wait%s', async (to, goal, code, callee) => {
    const withoutStatus =
      (send: HttpSend): HttpSend =>
      async (request) => {
        const reply = await send(request);
        if (!request.url.pathname.includes('/ringout')) return reply;
        const text = (await reply.text()).replace(/"callStatus":"\w+",/, '');
        return fakeReply({ status: 200, body: JSON.parse(text) as unknown });
      };
    const { run } = await openLiveOffice('administrator', {}, withoutStatus);
    const { exit, stdout, stderr } = await run(`ringout start --to ${to} --yes --wait${goal}`);
    expect([exit, ndjson(stdout).at(-1)]).toMatchObject([
      code,
      { callStatus: 'Unknown', calleeStatus: callee },
    ]);
    expect(stderr).not.toContain('timed out');
  });

  /** A network that replaces statuses in the replies about calls. */
  const replacing =
    (replace: (text: string) => string) =>
    (send: HttpSend): HttpSend =>
    async (request) => {
      const reply = await send(request);
      if (!request.url.pathname.includes('/ringout') || request.method === 'DELETE') return reply;
      return fakeReply({ status: 200, body: JSON.parse(replace(await reply.text())) as unknown });
    };

  it('an unpublished first status is not a failure, and --wait continues until the call is connected', async () => {
    const queued = replacing((text) => text.replace('"callStatus":"InProgress"', '"callStatus":"Queued"'));
    const { run } = await openLiveOffice('administrator', {}, queued);
    const started = await run(`ringout start --to ${answers} --yes -o ndjson`);
    expect([started.exit, ndjson(started.stdout)]).toMatchObject([0, [{ callStatus: 'Queued' }]]);
    const waited = await run(`ringout start --to ${answers} --yes --wait`);
    expect([waited.exit, ndjson(waited.stdout).at(-1)]).toMatchObject([0, { callStatus: 'Success' }]);
    expect(ndjson(waited.stdout).length).toBeGreaterThan(1);
  });

  it.each([
    ['DestinationBlocked', 'calls to this number are blocked', 'has a blocked number'],
    ['NotEnoughFunds', 'the account has too little credit', 'was not called, because the account has'],
    ['NosuchUser', 'the service does not know the user', 'is not known to the service'],
    ['Error', 'the service reported an error', 'failed with an error of the service'],
    [
      'RingOutFromThisNumberIsNotSupported',
      'the service does not place calls from this number',
      'has a number from which the service does not place calls',
    ],
  ])('spec:RINGOUT-32: %s is a failure with an explanation', async (status, call, leg) => {
    const all = replacing((text) =>
      text.replaceAll(/"(call|caller|callee)Status":"\w+"/g, `"$1Status":"${status}"`),
    );
    const failed = await openLiveOffice('administrator', {}, all);
    for (const wait of ['', ' --wait', ' --wait=finished']) {
      const { exit, stderr } = await failed.run(`ringout start --to ${answers} --yes${wait}`);
      expect([exit, stderr]).toEqual([13, expect.stringContaining(`${call}: caller ${leg}`)]);
      expect(stderr).toContain(`callee ${leg}`);
      expect(stderr).not.toContain('timed out');
    }
    const legsOnly = replacing((text) =>
      text
        .replace(/"callStatus":"\w+"/, '"callStatus":"Unknown"')
        .replaceAll(/"(caller|callee)Status":"\w+"/g, `"$1Status":"${status}"`),
    );
    const unknown = await openLiveOffice('administrator', {}, legsOnly);
    const { exit, stderr } = await unknown.run(`ringout start --to ${answers} --yes --wait=finished`);
    expect([exit, stderr]).toEqual([13, expect.stringContaining('the status is unknown: caller')]);
    expect(stderr).not.toContain('timed out');
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
      expect(stderr).toContain('callee was canceled or rejected the call');
    },
  );

  it('spec:CLIENT-12 Ctrl-C just after the called side has answered reports the current status of the call', async () => {
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
      expect.stringContaining('could not cancel call 8040215001 (both parties were connected'),
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

  it('spec:RINGOUT-26: a call abroad without the feature exits with 13 and an explanation', async () => {
    const { run } = await openLiveOffice('107');
    const { exit, stderr } = await run('ringout start --to +442079460000 --yes --wait');
    expect([exit, stderr]).toEqual([13, expect.stringContaining('is disabled')]);
  });

  it('ends with 13 when the wait times out, and the call continues', async () => {
    const { run } = await openLiveOffice();
    const { exit, stderr } = await run('ringout start --to +12025550111 --yes --wait --wait-timeout 30s');
    expect(exit).toBe(13);
    expect(stderr).toContain('timed out');
    expect(stderr).toMatch(/ucctl ringout cancel \d+/);
  });

  it('spec:CLIENT-12 Ctrl-C cancels the call and reports it', async () => {
    const { run, requests } = await openLiveOffice();
    const stop = new AbortController();
    const { exit, stderr } = await run('ringout start --to +12025550111 --yes --wait', {
      signal: stop.signal,
      onStdout: (text) => {
        if (text.includes('"callerStatus":"Success"')) stop.abort(new Interrupted('SIGINT'));
      },
    });
    expect([exit, stderr]).toEqual([130, expect.stringContaining('canceled call 8040215001')]);
    expect(requests().slice(-2)).toEqual([
      expect.stringMatching(/^DELETE .*\/ringout\/\d+$/),
      expect.stringMatching(/^GET .*\/ringout\/\d+$/),
    ]);
  });

  it.each([
    ['is ignored with HTTP 204', 204, false, 'could not cancel call 8040215001 (being connected'],
    ['is ignored with HTTP 200', 200, false, 'could not cancel call 8040215001 (being connected'],
    ['is accepted with HTTP 202 and processed', 202, true, 'canceled call 8040215001'],
    ['is processed, but without a reply', undefined, true, 'canceled call 8040215001'],
  ])(
    'spec:CLIENT-12 after Ctrl-C the call is read back: a DELETE that %s',
    async (_, status, isDone, words) => {
      const answers =
        (send: HttpSend): HttpSend =>
        async (request) => {
          if (request.method !== 'DELETE') return send(request);
          if (isDone) await send(request).then((reply) => reply.text());
          if (status !== undefined) return fakeReply({ status });
          throw new ConnectionError('TIMEOUT', 'unknown', request.url.origin, undefined);
        };
      const { run } = await openLiveOffice('administrator', {}, answers);
      const stop = new AbortController();
      const { exit, stderr } = await run('ringout start --to +12025550111 --yes --wait --retry 0', {
        signal: stop.signal,
        onStdout: (text) => {
          if (text.includes('"callerStatus":"Success"')) stop.abort(new Interrupted('SIGINT'));
        },
      });
      expect([exit, stderr]).toEqual([130, expect.stringContaining(words)]);
    },
  );

  it('spec:CLIENT-12 after Ctrl-C a call that the service deleted is reported as canceled', async () => {
    const { run } = await openLiveOffice('administrator', {}, deletesCancelled());
    const stop = new AbortController();
    const { exit, stderr } = await run('ringout start --to +12025550111 --yes --wait', {
      signal: stop.signal,
      onStdout: (text) => {
        if (text.includes('"callerStatus":"Success"')) stop.abort(new Interrupted('SIGINT'));
      },
    });
    expect([exit, stderr]).toEqual([130, expect.stringContaining('canceled call 8040215001')]);
  });

  it('spec:CLIENT-12 Ctrl-C after the called side has answered sends no DELETE and reports that the call continues', async () => {
    const { run, requests } = await openLiveOffice();
    const stop = new AbortController();
    const { exit, stderr } = await run(`ringout start --to ${answers} --yes --wait=finished`, {
      signal: stop.signal,
      onStdout: (text) => {
        if (text.includes('"callStatus":"Success"')) stop.abort(new Interrupted('SIGINT'));
      },
    });
    expect([exit, stderr]).toEqual([
      130,
      expect.stringMatching(
        /warning: call 8040215001 continues \(both parties were connected.*to end the call, hang up your phone/,
      ),
    ]);
    expect(requests()).not.toContainEqual(expect.stringMatching(/^DELETE /));
  });

  it('exits with 14 if the reply is lost', async () => {
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

  it('rings the direct number if no forwarding number can place calls', async () => {
    const { run } = await openLiveOffice('106');
    const { exit, stdout } = await run(`ringout start --to ${answers} --dry-run -o json`);
    expect([exit, JSON.parse(stdout)]).toMatchObject([
      0,
      { body: { from: { phoneNumber: '+16505550116' } } },
    ]);
  });

  it.each([
    ['no number at all', []],
    ['only records without a number', [{ id: 1, features: ['CallForwarding'], usageType: 'DirectNumber' }]],
  ])('asks for --from if the user has %s', async (_what, records) => {
    const none =
      (send: HttpSend): HttpSend =>
      (request) =>
        /\/(?:forwarding|phone)-number$/.test(request.url.pathname)
          ? Promise.resolve(
              fakeReply({
                status: 200,
                headers: { 'content-type': 'application/json' },
                body: { records },
              }),
            )
          : send(request);
    const { run, requests } = await openLiveOffice('106', {}, none);
    const { exit, stderr } = await run(`ringout start --to ${answers} --yes`);
    expect([exit, stderr]).toEqual([3, expect.stringContaining('with --from NUMBER')]);
    expect(requests().filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it.each([
    ['--to 0', 'is not a valid phone number'],
    [`--to ${answers} --from x`, 'is not a valid phone number'],
    [`--to ${answers} --from ${answers} --from-label x`, 'cannot be used together'],
    [`--to ${answers} --wait=later`, '--wait: "later" is not a valid value'],
  ])('with %s exits with 2 and sends nothing', async (flags, words) => {
    const { run, requests } = await openLiveOffice();
    requests();
    const { exit, stderr } = await run(`ringout start ${flags} --yes`);
    expect([exit, requests()]).toEqual([2, []]);
    expect(stderr).toContain(words);
  });
});

describe('ringout status, cancel and numbers', () => {
  it('spec:RINGOUT-3, RINGOUT-30: cancels while the callee is InProgress, otherwise explains why not', async () => {
    const { run } = await openLiveOffice();
    const start = async (to: string): Promise<string> =>
      String((JSON.parse((await run(`ringout start --to ${to} --yes -o json`)).stdout) as { id: number }).id);
    const ringing = await start('+12025550111');
    const cancelled = await run(`ringout cancel ${ringing} -o json`);
    expect([cancelled.exit, JSON.parse(cancelled.stdout)]).toMatchObject([0, { calleeStatus: 'Rejected' }]);
    const over = await run(`ringout cancel ${ringing}`);
    expect([over.exit, over.stderr]).toEqual([11, expect.stringContaining('cannot cancel call')]);
    const { stdout } = await run(`ringout status ${ringing} -o json`);
    expect(JSON.parse(stdout)).toMatchObject({
      explanation: expect.stringContaining('callee was canceled') as string,
    });
  });

  it('reports a call as canceled only when it no longer rings', async () => {
    const swallows =
      (send: HttpSend): HttpSend =>
      async (request) =>
        request.method === 'DELETE' ? fakeReply({ status: 200 }) : send(request);
    const { run } = await openLiveOffice('administrator', {}, swallows);
    const { stdout } = await run('ringout start --to +12025550111 --yes -o json');
    const { id } = JSON.parse(stdout) as { id: number };
    const { exit, stderr } = await run(`ringout cancel ${id}`);
    expect([exit, stderr]).toEqual([1, expect.stringContaining('did not take effect')]);
    expect(stderr).not.toContain('Canceled call');
  });

  it.each([
    ['was processed', '+12025550111', 0, 'Canceled call'],
    ['was too late', answers, 11, 'both parties were connected'],
  ])('reads the call back if the reply to the first DELETE is lost: it %s', async (_, to, exit, words) => {
    let deletes = 0;
    const loses =
      (send: HttpSend): HttpSend =>
      async (request) => {
        const reply = await send(request);
        if (request.method !== 'DELETE' || deletes++ > 0) return reply;
        throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
      };
    const { run, sandbox } = await openLiveOffice('administrator', {}, loses);
    const { stdout } = await run(`ringout start --to ${to} --yes -o json`);
    const { id } = JSON.parse(stdout) as { id: number };
    await sandbox.clock.advance(20_000);
    const cancelled = await run(`ringout cancel ${id}`);
    expect([cancelled.exit, cancelled.stderr]).toEqual([exit, expect.stringContaining(words)]);
    expect(deletes).toBe(2);
  });

  it.each([
    ['was processed', true, 0, 'Canceled call'],
    ['was not processed', false, 14, 'No reply confirms the change, and it is not in effect'],
  ])('reads the call back if no DELETE gets a reply: the request %s', async (_, isDone, exit, words) => {
    const loses =
      (send: HttpSend): HttpSend =>
      async (request) => {
        if (request.method !== 'DELETE') return send(request);
        if (isDone) await send(request).then((reply) => reply.text());
        throw new ConnectionError('TIMEOUT', 'unknown', request.url.origin, undefined);
      };
    const { run } = await openLiveOffice('administrator', {}, loses);
    const { stdout } = await run('ringout start --to +12025550111 --yes -o json');
    const { id } = JSON.parse(stdout) as { id: number };
    const cancelled = await run(`ringout cancel ${id} --retry 0`);
    expect([cancelled.exit, cancelled.stderr]).toEqual([exit, expect.stringContaining(words)]);
  });

  it('does not take the page of another server as the confirmation of a cancellation', async () => {
    const portal =
      (send: HttpSend): HttpSend =>
      (request) =>
        request.method === 'DELETE'
          ? Promise.resolve(fakeReply({ status: 200, body: Buffer.from('<html>') }))
          : send(request);
    const { run } = await openLiveOffice('administrator', {}, portal);
    const { stdout } = await run('ringout start --to +12025550111 --yes -o json');
    const { id } = JSON.parse(stdout) as { id: number };
    const { exit, stderr } = await run(`ringout cancel ${id}`);
    expect([exit, stderr]).toEqual([14, expect.stringContaining('the service may have made the change')]);
  });

  it.each([
    ['was processed', '+12025550111', true, 0, 'Canceled call'],
    ['was not processed, and the call was answered', answers, false, 1, 'did not take effect'],
  ])('reads the call back after HTTP 202: the request %s', async (_, to, isDone, exit, words) => {
    const accepts =
      (send: HttpSend): HttpSend =>
      async (request) => {
        if (request.method !== 'DELETE') return send(request);
        if (isDone) await send(request).then((reply) => reply.text());
        return fakeReply({ status: 202 });
      };
    const { run, sandbox } = await openLiveOffice('administrator', {}, accepts);
    const { stdout } = await run(`ringout start --to ${to} --yes -o json`);
    const { id } = JSON.parse(stdout) as { id: number };
    await sandbox.clock.advance(20_000);
    const cancelled = await run(`ringout cancel ${id}`);
    expect([cancelled.exit, cancelled.stderr]).toEqual([exit, expect.stringContaining(words)]);
  });

  it.each([
    [202, 403, 'returned HTTP 202 with an empty body'],
    [204, 403, 'The service accepted the change, but ucctl could not read it back'],
    [204, 500, 'The service accepted the change, but ucctl could not read it back'],
  ])('exits with 14 if a call cannot be read back: HTTP %i, then %i', async (accepted, readStatus, words) => {
    let isAsked = false;
    const accepts =
      (send: HttpSend): HttpSend =>
      async (request) => {
        isAsked ||= request.method === 'DELETE';
        if (!isAsked) return send(request);
        return fakeReply({ status: request.method === 'DELETE' ? accepted : readStatus });
      };
    const { run } = await openLiveOffice('administrator', {}, accepts);
    const { stdout } = await run('ringout start --to +12025550111 --yes -o json');
    const { id } = JSON.parse(stdout) as { id: number };
    const { exit, stderr } = await run(`ringout cancel ${id}`);
    expect([exit, stderr]).toEqual([14, expect.stringContaining(words)]);
  });

  it('reports a call as canceled that the service deletes when it ends', async () => {
    const { run } = await openLiveOffice('administrator', {}, deletesCancelled());
    const { stdout } = await run('ringout start --to +12025550111 --yes -o json');
    const { id } = JSON.parse(stdout) as { id: number };
    const cancelled = await run(`ringout cancel ${id} -o json`);
    expect([cancelled.exit, cancelled.stderr]).toEqual([0, `Canceled call ${id}\n`]);
    expect(JSON.parse(cancelled.stdout)).toMatchObject({ id: String(id), calleeStatus: 'NoSessionFound' });
  });

  it('reports a call that is not found', async () => {
    const { run } = await openLiveOffice();
    const { exit, stderr } = await run('ringout status 999');
    expect([exit, stderr]).toEqual([
      3,
      expect.stringContaining('the status of an ended call is available only for a short time'),
    ]);
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
