import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  ApiError,
  ConnectionError,
  OutcomeUnknownError,
  RateLimitError,
  ReplyError,
  type TransportSettings,
} from '../../src/client/index.ts';
import { requestLineOf, UnconfirmedChangeError } from '../../src/errors/service.ts';
import { readRetryAfter } from '../../src/client/retry-after.ts';
import type { Call, Wait } from '../../src/client/call.ts';
import { Transport } from '../../src/client/transport.ts';
import { fakeService, fakeTiming, plainSettings, type FakeAnswer } from '../support/fake-service.ts';

const read: Call = { method: 'GET', path: '/restapi/v1.0/account/~/extension/~/presence' };
const update: Call = { method: 'PUT', path: read.path, body: { message: 'x' } };
const sms: Call = {
  method: 'POST',
  path: '/restapi/v1.0/account/~/extension/~/sms',
  body: { text: 'x' },
  once: true,
};
const assign: Call = { method: 'POST', path: '/restapi/v1.0/account/~/department/bulk-assign', body: {} };
const deleteMessage: Call = { method: 'DELETE', path: '/restapi/v1.0/account/~/extension/~/message-store/7' };
const deleteSubscription: Call = { method: 'DELETE', path: '/restapi/v1.0/subscription/x' };

const failedConnection = new ConnectionError('ECONNREFUSED', 'no', 'https://service.example', undefined);
const cut = new ConnectionError('ECONNRESET', 'unknown', 'https://service.example', undefined);
const badCertificate = new ConnectionError('CERT_HAS_EXPIRED', 'no', 'https://service.example', undefined);
const ok = { status: 200, body: { id: 1 } };

async function run(call: Call, answers: readonly FakeAnswer[], settings: Partial<TransportSettings> = {}) {
  const service = fakeService(answers);
  const timing = fakeTiming();
  const transport = new Transport({ ...plainSettings, http: service.http, timing, ...settings });
  const result = await transport.send(call).catch((error: unknown) => error);
  return { result, sent: service.asked.length, slept: timing.slept, asked: service.asked };
}

describe('an answer that is not a record', () => {
  const empty: readonly [string, FakeAnswer][] = [
    ['204', { status: 204 }],
    ['null', { status: 200, body: null }],
    ['an empty list', { status: 200, body: [] }],
    ['a word', { status: 200, body: 'OK' }],
  ];
  it.each(empty)('(%s) leaves the outcome of a text unknown, in the journal too', async (_, answer) => {
    const states: string[] = [];
    const recorder = {
      requireUnused: () => Promise.resolve(),
      before: () =>
        Promise.resolve({
          confirm: () => Promise.resolve(),
          settle: ({ state }: { readonly state: string }) => {
            states.push(state);
            return Promise.resolve();
          },
        }),
    };
    const { result, sent } = await run(sms, [answer], { recorder });
    expect(result).toBeInstanceOf(OutcomeUnknownError);
    expect(sent).toBe(1);
    expect(states).toEqual(['unknown']);
  });

  it.each([
    ['204', { status: 204 }],
    ['null', { status: 200, body: null }],
    ['a word', { status: 200, body: 'OK' }],
  ] satisfies readonly [string, FakeAnswer][])('(%s) is named where something is read', async (_, answer) => {
    expect((await run(read, [answer])).result).toBeInstanceOf(ReplyError);
  });

  it('is sufficient for a change', async () => {
    expect((await run(assign, [{ status: 204 }])).result).toBeUndefined();
  });

  it.each([
    ['a cut archive', gzipSync('{"id":1}').subarray(0, 14)],
    ['no archive', Buffer.from('{"id":1}')],
  ])(
    '(%s) that is declared as compressed is reported, and a text does not count as sent',
    async (_, body) => {
      const packed: FakeAnswer = { status: 200, headers: { 'content-encoding': 'gzip' }, body };
      expect((await run(read, [packed])).result).toBeInstanceOf(ReplyError);
      expect((await run(sms, [packed])).result).toBeInstanceOf(OutcomeUnknownError);
    },
  );
});

describe('the record of a text', () => {
  const limited: FakeAnswer = { status: 429, headers: { 'retry-after': '60' }, body: {} };
  const unavailable: FakeAnswer = { status: 503, headers: { 'retry-after': '60' }, body: {} };

  async function recorded(
    answers: readonly FakeAnswer[],
    confirm: () => Promise<void>,
    resendAfter503 = false,
  ) {
    let confirmed = 0;
    const recorder = {
      requireUnused: () => Promise.resolve(),
      before: () =>
        Promise.resolve({
          confirm: () => {
            confirmed += 1;
            return confirm();
          },
          settle: () => Promise.resolve(),
        }),
    };
    return { ...(await run(sms, answers, { recorder, resendAfter503 })), confirmed: () => confirmed };
  }
  const valid = () => Promise.resolve();

  it.each([
    ['without a wait', [ok], 0],
    ['after short waits', [failedConnection, failedConnection, ok], 0],
    ['after the wait for a rate limit', [limited, ok], 1],
    ['after each of two waits', [limited, limited, ok], 2],
  ] as const)('is confirmed %s: %j, %i times', async (_when, answers, times) => {
    const { result, confirmed } = await recorded(answers, valid);
    expect(result).toEqual({ id: 1 });
    expect(confirmed()).toBe(times);
  });

  const resolved = new Error('the outcome was resolved');
  it('prevents the next attempt if it is not valid anymore', async () => {
    const { result, sent } = await recorded([limited, ok], () => Promise.reject(resolved));
    expect(result).toBe(resolved);
    expect(sent).toBe(1);
  });

  it('does not hide an earlier attempt that may have been processed', async () => {
    const { result, sent } = await recorded([unavailable, ok], () => Promise.reject(resolved), true);
    expect(result).toBeInstanceOf(OutcomeUnknownError);
    expect(sent).toBe(1);
  });
});

describe('a status that only proxies have', () => {
  it.each([520, 524, 507, 599])(
    '(%i) is treated as a failure of the service: RFC 9110, 15',
    async (status) => {
      expect((await run(sms, [{ status }])).result).toBeInstanceOf(OutcomeUnknownError);
      const { result, sent } = await run(read, [{ status }, ok]);
      expect(result).toEqual({ id: 1 });
      expect(sent).toBe(2);
    },
  );

  it.each([501, 505])('%i is not sent again, and a text has an unknown outcome', async (status) => {
    const text = await run(sms, [{ status }, ok]);
    expect(text.result).toBeInstanceOf(OutcomeUnknownError);
    const { result, sent } = await run(read, [{ status }, ok]);
    expect(result).toBeInstanceOf(ApiError);
    expect([text.sent, sent]).toEqual([1, 1]);
  });
});

describe('a request that was certainly not sent', () => {
  it.each([
    ['read', read, 5],
    ['text', sms, 4],
    ['assignment', assign, 4],
    ['deletion of a message', deleteMessage, 4],
  ])('(%s) is sent again a few times', async (_, call, times) => {
    const { result, sent } = await run(call, [failedConnection]);
    expect(result).toBe(failedConnection);
    expect(sent).toBe(times);
  });

  it('spec:RATE-7 waits with full jitter that doubles up to 20 s', async () => {
    const { slept } = await run(read, [failedConnection], { retries: 8 });
    expect(slept).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]);
    const timing = fakeTiming(0, 0.25);
    await run(read, [failedConnection], { retries: 2, timing });
    expect(timing.slept).toEqual([125, 250]);
  });

  it('succeeds when the service is available again', async () => {
    expect(await run(sms, [failedConnection, failedConnection, ok])).toMatchObject({
      result: { id: 1 },
      sent: 3,
    });
  });

  it('is not sent again with a certificate that is not accepted, nor with --retry 0', async () => {
    expect((await run(read, [badCertificate])).sent).toBe(1);
    for (const call of [read, sms])
      expect((await run(call, [failedConnection], { retries: 0 })).sent).toBe(1);
  });

  it('is not sent again if it has an invalid part', async () => {
    const invalid = new ConnectionError('UND_ERR_INVALID_ARG', 'no', 'https://service.example', undefined);
    expect((await run(read, [invalid])).sent).toBe(1);
  });
});

describe('a request that may have been read', () => {
  const lost: readonly [string, FakeAnswer][] = [
    ['a cut connection', cut],
    ['500', { status: 500 }],
    ['502', { status: 502 }],
    ['503', { status: 503 }],
    ['503 with Retry-After', { status: 503, headers: { 'retry-after': '1' } }],
    ['504', { status: 504 }],
  ];
  it.each(lost)('is sent again after %s if it reads or sets a state', async (_, answer) => {
    for (const call of [read, update, deleteSubscription]) {
      expect(await run(call, [answer, ok])).toMatchObject({ result: { id: 1 }, sent: 2 });
    }
  });

  it.each(lost)('is never sent again after %s if it must happen once', async (_, answer) => {
    const { result, sent } = await run(sms, [answer]);
    expect(result).toBeInstanceOf(OutcomeUnknownError);
    expect(sent).toBe(1);
  });

  it.each(lost)(
    'spec:CLIENT-2 %s does not cause a retry of a deletion of a message, or of a POST',
    async (_, answer) => {
      for (const call of [deleteMessage, assign]) {
        const { result, sent } = await run(call, [answer]);
        expect(result).not.toBeInstanceOf(OutcomeUnknownError);
        expect(sent).toBe(1);
      }
    },
  );

  it('is sent again after a 503 with Retry-After only if requested', async () => {
    const busy = { status: 503, headers: { 'retry-after': '3' } };
    const { sent, slept } = await run(sms, [busy, ok], { resendAfter503: true });
    expect([sent, slept]).toEqual([2, [3000]]);
    expect((await run(sms, [{ status: 503 }], { resendAfter503: true })).sent).toBe(1);
    for (const status of [408, 500, 502, 504])
      expect((await run(sms, [{ ...busy, status }], { resendAfter503: true })).sent).toBe(1);
  });

  it.each([deleteMessage, { ...deleteMessage, resend: 'unsent' } as const])(
    'spec:CLIENT-2 is not sent again after a 503 with Retry-After if it deletes a message: %j',
    async (call) => {
      const busy = { status: 503, headers: { 'retry-after': '1' } };
      expect(await run(call, [busy, ok], { resendAfter503: true })).toMatchObject({ sent: 1, slept: [] });
    },
  );

  it('waits at most a minute for the Retry-After of a 503', async () => {
    const later = { status: 503, headers: { 'retry-after': '3600' } };
    expect(await run(read, [later, ok])).toMatchObject({ sent: 2, slept: [60_000] });
  });

  it('is sent again after a 408 only if it may be repeated', async () => {
    expect(await run(read, [{ status: 408 }, ok])).toMatchObject({ result: { id: 1 }, sent: 2 });
    expect((await run(sms, [{ status: 408 }, ok])).sent).toBe(1);
  });

  it('has no unknown outcome if there was not enough memory for its connection', async () => {
    const failure = (syscall: string) => Object.assign(new Error(syscall), { code: 'ENOMEM', syscall });
    expect((await run(sms, [failure('mmap')])).result).toEqual(failure('mmap'));
    expect((await run(sms, [failure('read')])).result).toBeInstanceOf(OutcomeUnknownError);
  });

  it('is read again if its body was truncated', async () => {
    const torn = { status: 200, body: new Uint8Array(0) };
    const service = fakeService([torn, ok]);
    const http: TransportSettings['http'] = async (request) => {
      const reply = await service.http(request);
      return service.asked.length === 1 ? { ...reply, text: () => Promise.reject(cut) } : reply;
    };
    const transport = new Transport({ ...plainSettings, http, timing: fakeTiming() });
    expect(await transport.send(read)).toEqual({ id: 1 });
  });

  it.each([400, 401, 403, 404, 409])('is not sent again after %d', async (status) => {
    const { result, sent } = await run(read, [{ status }], {
      tokens: { current: () => Promise.resolve('t'), renew: () => Promise.reject(new Error('none')) },
    });
    expect(result).toBeInstanceOf(Error);
    expect(sent).toBe(1);
  });

  it('ends with the reason of an abort, without a retry', async () => {
    const controller = new AbortController();
    const transport = new Transport({
      ...plainSettings,
      timing: fakeTiming(),
      http: () => {
        controller.abort(new Error('stop'));
        return Promise.reject(cut);
      },
    });
    await expect(transport.send(read, { signal: controller.signal })).rejects.toBe(cut);
  });
});

describe('a change that an earlier attempt may have made', () => {
  it('is not reported as unsent if the last attempts could not connect', async () => {
    const { result, sent } = await run(update, [cut, failedConnection]);
    expect([result, sent]).toEqual([new UnconfirmedChangeError(requestLineOf(update), cut), 5]);
    expect((await run(read, [cut, failedConnection])).result).toBe(failedConnection);
  });

  it('is marked as possible if no attempt gets a reply, unlike a read and the request of a token', async () => {
    const token: Call = { method: 'POST', path: '/restapi/oauth/wstoken', resend: 'always' };
    expect((await run(update, [cut])).result).toBeInstanceOf(UnconfirmedChangeError);
    for (const call of [read, token]) expect((await run(call, [cut])).result).toBe(cut);
    expect((await run(update, [failedConnection])).result).toBe(failedConnection);
  });

  it.each([
    [408, true],
    [499, true],
    [503, true],
    [501, false],
    [400, false],
  ])('is marked as possible if the last reply has status %i: %s', async (status, mayBeDone) => {
    const token: Call = { method: 'POST', path: '/restapi/oauth/wstoken', resend: 'always' };
    for (const call of [update, assign, deleteSubscription])
      expect((await run(call, [{ status }])).result).toMatchObject({ name: 'ApiError', mayBeDone });
    for (const call of [read, token])
      expect((await run(call, [{ status }])).result).toMatchObject({ name: 'ApiError', mayBeDone: false });
  });

  it.each([
    ['no reply', cut],
    ['the service replied with HTTP 503', { status: 503 }],
  ] satisfies readonly [string, FakeAnswer][])(
    'has an unknown outcome if the wait for the next attempt is interrupted (%s)',
    async (why, answer) => {
      const timing = { ...fakeTiming(), sleep: () => Promise.reject(new DOMException('', 'AbortError')) };
      expect((await run(update, [answer], { timing })).result).toMatchObject({
        name: 'OutcomeUnknownError',
        why,
      });
      expect((await run(update, [failedConnection], { timing })).result).toMatchObject({
        name: 'AbortError',
      });
      expect((await run(read, [answer], { timing })).result).toMatchObject({ name: 'AbortError' });
    },
  );
});

it('a text whose file cannot be read while it is sent was not sent', async () => {
  const unreadable = new Error('the file cannot be read');
  const http: TransportSettings['http'] = ({ onUnsent }) => {
    onUnsent?.();
    return Promise.reject(unreadable);
  };
  const transport = new Transport({ ...plainSettings, http, timing: fakeTiming() });
  await expect(transport.send(sms)).rejects.toBe(unreadable);
});

describe('a repeated change', () => {
  it.each([404, 409])('that is rejected with %i, unlike a DELETE, is a failure', async (status) => {
    const body = { errorCode: 'CMN-102', message: 'not found' };
    expect((await run(update, [cut, { status, body }])).result).toMatchObject({ name: 'ApiError', status });
  });

  it('that another server answers may have been made, and the error names the other server', async () => {
    const login = { status: 302, headers: { location: 'https://login.example/' } };
    const { result } = await run(update, [cut, login]);
    expect(result).toMatchObject({ name: 'ReplyError', isForeign: true, mayBeDone: true });
  });
});

describe('spec:CLIENT-2 a DELETE whose first reply was lost', () => {
  const missing = (status: number, errorCode: string): FakeAnswer => ({ status, body: { errorCode } });
  it.each([
    ['CMN-102', cut],
    ['SUB-507', { status: 502 }],
  ] satisfies readonly [string, FakeAnswer][])(
    'succeeds if the repeated request finds nothing (%s)',
    async (code, first) => {
      expect(await run(deleteSubscription, [first, missing(404, code)])).toMatchObject({
        result: undefined,
        sent: 2,
      });
    },
  );

  it('has an unknown outcome if the repeated request conflicts with its effect', async () => {
    const { result } = await run(deleteSubscription, [cut, missing(409, 'CMN-204')]);
    expect(result).toMatchObject({ name: 'OutcomeUnknownError', why: 'no reply' });
  });

  it.each([
    ['an unknown path', cut, missing(404, 'AGW-404')],
    ['the 404 of another server', cut, { status: 404 }],
    ['a first request that was not sent', failedConnection, missing(404, 'CMN-102')],
  ] satisfies readonly [string, FakeAnswer, FakeAnswer][])(
    'is rejected after %s',
    async (_, first, second) => {
      expect((await run(deleteSubscription, [first, second])).result).toMatchObject({
        name: 'ApiError',
        status: 404,
      });
    },
  );
});

describe('a rejection with 429', () => {
  const busy = (retryAfter?: string): FakeAnswer => ({
    status: 429,
    body: { errorCode: 'CMN-301', message: 'Request rate exceeded' },
    headers: {
      'x-rate-limit-group': 'heavy',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
  });

  it.each([
    ['a number', '7', 7],
    ['none', undefined, 60],
    ['a negative number', '-5', 1],
    ['zero', '0', 1],
    ['nonsense', 'soon', 60],
    ['a date', new Date(1_800_000_000_000 + 9000).toUTCString(), 9],
    ['a date that is over', new Date(1_700_000_000_000).toUTCString(), 1],
  ])('with %s as Retry-After waits for that time and sends again, a text too', async (_, header, seconds) => {
    for (const call of [read, sms]) {
      const { result, sent, slept } = await run(call, [busy(header), ok]);
      expect(result).toEqual({ id: 1 });
      expect(sent).toBe(2);
      expect(slept).toEqual([seconds * 1000 + 50]);
    }
  });

  it('is reported if the wait is longer than --max-wait', async () => {
    const { result, slept } = await run(read, [busy('30')], { maxWaitMilliseconds: 10_000 });
    expect(result).toBeInstanceOf(RateLimitError);
    expect(result).toMatchObject({
      group: 'heavy',
      waitSeconds: 30,
      cause: { status: 429, code: 'CMN-301' },
    });
    expect(slept).toEqual([]);
  });

  it.each([
    ['3600', 'in 3600 s'],
    ['1000000000', 'in 3600 s (the service asked for 1000000000 s, and ucctl waits at most 3600 s)'],
  ])('with %s as Retry-After is reported with a time of at most an hour', async (header, when) => {
    const { result, slept, sent } = await run(read, [busy(header), ok]);
    expect([slept, sent]).toEqual([[], 1]);
    expect(result).toMatchObject({
      waitSeconds: 3600,
      message: `rate limit of usage group heavy reached; ucctl can send the next request ${when}`,
    });
  });

  it('is waited for with the --max-wait that its report names', async () => {
    const { result, slept } = await run(read, [busy('30'), ok], { maxWaitMilliseconds: 30_000 });
    expect(result).toEqual({ id: 1 });
    expect(slept).toEqual([30_050]);
  });

  it('reports each wait to the request that waits, and to the settings', async () => {
    const timing = fakeTiming();
    const all: Wait[] = [];
    const own: Wait[] = [];
    const { http } = fakeService([busy('7'), ok, { status: 503 }, ok]);
    const transport = new Transport({ ...plainSettings, http, timing, onWait: (wait) => all.push(wait) });
    await transport.send(read, { onWait: (wait) => own.push(wait) });
    await transport.send(read);
    expect(own).toEqual([
      { reason: 'rate-limit', milliseconds: 7050, request: { method: read.method, path: read.path } },
    ]);
    expect(all.map(({ reason }) => reason)).toEqual(['rate-limit', 'retry']);
  });

  it('counts all waits of one request together', async () => {
    const { result, sent } = await run(read, [busy('50')]);
    expect(result).toBeInstanceOf(RateLimitError);
    expect(sent).toBe(3);
  });
});

describe('a compressed reply', () => {
  it('is requested and decompressed', async () => {
    const packed = gzipSync(JSON.stringify({ id: 5, text: 'x'.repeat(5000) }));
    const { result, asked } = await run(read, [
      { status: 200, body: packed, headers: { 'content-encoding': 'gzip' } },
    ]);
    expect(asked[0]?.headers['accept-encoding']).toBe('gzip');
    expect(result).toMatchObject({ id: 5 });
  });

  it.each(['GZIP', 'x-gzip', ' gzip'])('is also named %j (RFC 9110, 8.4.1)', async (coding) => {
    const body = gzipSync('{"id":5}');
    expect(
      (await run(read, [{ status: 200, body, headers: { 'content-encoding': coding } }])).result,
    ).toEqual({
      id: 5,
    });
  });

  it('that is empty means that the change was made', async () => {
    const { result } = await run(assign, [{ status: 204, headers: { 'content-encoding': 'gzip' } }]);
    expect(result).toBeUndefined();
  });

  it('that is not gzip is an error, not a crash', async () => {
    const { result } = await run(read, [
      { status: 200, body: Buffer.from('{"id":1}'), headers: { 'content-encoding': 'gzip' } },
    ]);
    expect(result).toBeInstanceOf(Error);
  });

  it('that is broken does not hide a rejection', async () => {
    const body = Buffer.from('no archive');
    const { result } = await run(sms, [{ status: 400, body, headers: { 'content-encoding': 'gzip' } }]);
    expect(result).toMatchObject({ name: 'ApiError', status: 400 });
  });

  it('also carries the error of the service', async () => {
    const packed = gzipSync(JSON.stringify({ errorCode: 'CMN-102', message: 'not found' }));
    const { result } = await run(read, [
      { status: 404, body: packed, headers: { 'content-encoding': 'gzip' } },
    ]);
    expect(result).toBeInstanceOf(ApiError);
    expect(result).toMatchObject({ code: 'CMN-102' });
  });
});

it('reads every form of Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(
    [
      '5',
      '-1',
      '1e9',
      'Thu, 01 Jan 2026 00:00:30 GMT',
      'Thursday, 01-Jan-26 00:00:30 GMT',
      ' 1.5 ',
      'Wed, 31 Dec 2025 23:59:00 GMT',
      '2026-01-01T00:00:30Z',
      'Thursday',
      '',
      undefined,
    ].map((value) => readRetryAfter(value, now)),
  ).toEqual([5, 0, undefined, 30, 30, 1.5, 0, undefined, undefined, undefined, undefined]);
  expect(readRetryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now + 500)).toBe(30);
  expect(readRetryAfter('Thu, 01 Jan 2026 00:00:30 GMT', undefined)).toBeUndefined();
});
