import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { operationsOf } from '../../../src/contract/operations.ts';
import type { HttpReply, HttpRequest, HttpSend } from '../../../src/client/index.ts';
import { ConnectionError } from '../../../src/errors/service.ts';
import { readSteps, otherReads } from '../../../src/features/account-report/read-steps.ts';
import readOperations from '../../../src/features/account-report/read-operations.json';
import { foreignNow, foreignOrigin } from '../../foreign/client-run.ts';
import { foreignHttp } from '../../foreign/in-process.ts';
import { ForeignService } from '../../foreign/service/foreign-service.ts';
import { runUcctl, type RunResult } from '../../support/run-ucctl.ts';
import { pathsIn } from '../../support/paths.ts';
import { temporaryFolder } from '../../support/temporary.ts';

interface Report {
  readonly dialect: string;
  readonly chatPathOf?: readonly string[];
  readonly reads: readonly {
    readonly operation: string;
    readonly path: string;
    readonly status?: number;
    readonly outcome?: string;
    readonly body?: string;
    readonly notSent?: string;
    readonly errorCodes?: readonly string[];
    readonly connectionError?: string;
    readonly rateHeaders?: readonly string[];
  }[];
  readonly operations: Readonly<
    Record<
      string,
      {
        readonly members: Readonly<Record<string, string>>;
        readonly unknown: Readonly<Record<string, string>>;
        readonly unknownOmitted: number;
        readonly missing: readonly string[];
        readonly missingOptional: readonly string[];
      }
    >
  >;
}

interface Run extends RunResult {
  readonly requests: readonly HttpRequest[];
  readonly text: string;
  readonly report: Report;
}

/** Runs `doctor --report -` against the foreign service. */
async function run(
  seed: number,
  dialect: 'spec' | 'current',
  around: (send: HttpSend) => HttpSend = (send) => send,
  file = '-',
): Promise<Run> {
  const cwd = temporaryFolder();
  const service = new ForeignService({ seed, setting: { origin: foreignOrigin, now: foreignNow } });
  const requests: HttpRequest[] = [];
  const send = around(foreignHttp(service));
  let now = foreignNow;
  const http: HttpSend = (request) => {
    requests.push(request);
    return send(request);
  };
  const result = await runUcctl(['doctor', '--report', file], {
    cwd,
    paths: pathsIn(join(cwd, '.home')),
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      return Promise.resolve();
    },
    sandbox: {
      http,
      env: {
        HOME: cwd,
        UCCTL_BASE_URL: foreignOrigin,
        UCCTL_TOKEN: 'canary-token',
        UCCTL_CLIENT_ID: 'canary-client',
        UCCTL_STORE: 'file',
        UCCTL_DIALECT: dialect,
      },
    },
  });
  const path = join(cwd, file);
  const text = file !== '-' && existsSync(path) ? readFileSync(path, 'utf8') : result.stdout;
  const [, json = '{}'] = /```json\n([\s\S]*)\n```/.exec(text) ?? [];
  return { ...result, requests, text, report: JSON.parse(json) as Report };
}

/** Changes the body of every JSON reply. */
function withBody(change: (body: string, request: HttpRequest) => string): (send: HttpSend) => HttpSend {
  return (send) => async (request) => {
    const served = await send(request);
    const pieces: Uint8Array[] = [];
    for await (const piece of served.bytes()) pieces.push(piece);
    const whole = Buffer.concat(pieces);
    const isPacked = whole[0] === 0x1f && whole[1] === 0x8b;
    const body = (isPacked ? gunzipSync(whole) : whole).toString('utf8');
    return reply(served.status, change(body, request));
  };
}

function reply(status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpReply {
  const all: Readonly<Record<string, string>> = { 'content-type': 'application/json', ...headers };
  return {
    status,
    headers: all,
    header: (name) => all[name],
    text: () => Promise.resolve(body),
    async *bytes() {
      yield Buffer.from(body);
    },
    discard: () => Promise.resolve(),
  };
}

/** Puts a canary into every text and number of a reply, and members whose names are data into every record. */
function plant(value: unknown, canaries: Set<string>, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => plant(item, canaries, key));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [name, plant(member, canaries, name)]);
    return {
      ...(Object.fromEntries(members) as object),
      canaryName: 'canaryName',
      '+16505550177': { canaryInside: 'canaryInside' },
      'Canary Person': 1,
      '90210777': true,
      addedLater: { canaryBelow: 1 },
    };
  }
  if (isId(key)) {
    canaries.add(String(value));
    return value;
  }
  if (typeof value === 'number') return 770_077;
  return typeof value === 'string' ? `canary${value}` : value;
}

/** Ids stay as they are, because later requests contain them. */
function isId(key: string): boolean {
  return key === 'id' || key === 'groupIds';
}

describe('the report of doctor', () => {
  it.each(['spec', 'current'] as const)('contains no value of any reply in dialect %s', async (dialect) => {
    for (const seed of [1, 2, 3]) {
      const canaries = new Set<string>();
      const { text, stderr, exit, requests, report } = await run(
        seed,
        dialect,
        withBody((body) => (body === '' ? body : JSON.stringify(plant(JSON.parse(body), canaries)))),
      );
      expect([exit, stderr]).toEqual([0, expect.stringContaining('Read the report before you send it.')]);
      const leaks = ['canary', 'Canary', '770077', '77007', '6505550177', '90210777', 'foreign.example'];
      const ids = [...canaries].filter((id) => /\d{4}/.test(id));
      expect(ids.length).toBeGreaterThan(20);
      expect([...leaks, ...ids].filter((word) => text.includes(word))).toEqual([]);
      expect(requests.length).toBeGreaterThan(20);
      expect(report.operations['listExtensions']?.unknown).toMatchObject({
        'records[].addedLater': 'object',
      });
      expect(report.operations['listExtensions']?.unknownOmitted).toBeGreaterThan(3);
    }
  });

  it('contains no value of an error', async () => {
    const error = {
      errorCode: 'CanaryCode',
      error: 'canary_word',
      message: 'canary message',
      parameterName: 'canary',
      permissionName: 'CanaryPermission',
      errors: [{ errorCode: 'CMN-102', message: 'canary' }, { errorCode: '+16505550177' }],
    };
    const { text, report } = await run(
      1,
      'current',
      () => () =>
        Promise.resolve(
          reply(403, JSON.stringify(error), { 'x-canary': 'canary', 'content-type': 'text/canary' }),
        ),
    );
    expect(text).not.toMatch(/canary|6505550177/i);
    expect(report.reads[0]).toMatchObject({
      status: 403,
      errorCodes: ['(other)', 'CMN-102'],
      contentType: 'other',
    });
  });

  it('sends only GET requests, at most one for each operation and type of message, each with the smallest page', async () => {
    const { requests } = await run(2, 'current');
    expect(requests.every(({ method, body }) => method === 'GET' && body === undefined)).toBe(true);
    // One more request finds the dialect by the other path of chat webhooks.
    expect(requests.length).toBeLessThanOrEqual(readSteps.length + 1);
    const sizes = requests
      .map(({ url: { searchParams } }) => searchParams.get('perPage') ?? searchParams.get('recordCount'))
      .filter((size) => size !== null);
    expect(sizes.length).toBeGreaterThan(10);
    expect(new Set(sizes)).toEqual(new Set(['1']));
  });

  it('has every read operation of the contract, or the reason why not', () => {
    const jsonReads = [...operationsOf('spec'), ...operationsOf('current')]
      .filter(
        ([, { method, reply: schema, path }]) => method === 'GET' && schema && path.startsWith('/restapi'),
      )
      .map(([name]) => name);
    const walked = [...readSteps.map(({ operation }) => operation), ...Object.keys(otherReads)];
    expect([...new Set(walked)].toSorted()).toEqual([...new Set(jsonReads)].toSorted());
    expect(Object.keys(readOperations).toSorted()).toEqual([...new Set(walked)].toSorted());
  });

  it('lists unknown and missing members of an operation', async () => {
    const { report, text } = await run(
      2,
      'spec',
      withBody((body, { url }) => {
        if (!url.pathname.endsWith('/phone-number')) return body;
        const page = { uri: 'https://x.example', records: [{ id: 5, phoneNumber: 7, features2: [] }] };
        return JSON.stringify(page);
      }),
    );
    const found = report.operations['listPhoneNumbers'];
    expect(found).toMatchObject({
      members: { 'records[].id': 'number', 'records[].phoneNumber': 'number' },
      unknown: { 'records[].features2': 'array' },
      missing: expect.arrayContaining(['records[].usageType']) as unknown,
      otherTypes: ['records[].phoneNumber'],
    });
    expect(text).toContain('- Unknown members: `records[].features2 (array)`');
  });

  it('finds IDs above 2^53 among the numbers of replies, not in texts', async () => {
    const withId = (id: string) =>
      withBody((body) =>
        body
          .replaceAll(/\d{16,}/g, '77')
          .replace(/^\{/, `{"subject":"card 4111111111111111","serial":${id},`),
      );
    expect((await run(31, 'current', withId('9007199254740991'))).text).toContain('2^53: not found');
    expect((await run(31, 'current', withId('9007199254740993'))).text).toContain('2^53: found');
  });

  it('finds the dialect of the service by the path of chat webhooks', async () => {
    const other =
      (send: HttpSend): HttpSend =>
      (request) =>
        request.url.pathname.startsWith('/restapi/v1.0/chat')
          ? Promise.resolve(reply(404, '{"errorCode":"CMN-102"}'))
          : send(request);
    const { report, text } = await run(2, 'spec', other);
    expect(report).toMatchObject({ dialect: 'spec', chatPathOf: ['current'] });
    expect(text).toContain('Dialects with an existing chat webhook path: current');
  });

  it('records errors as data and continues', async () => {
    const replies: readonly (() => Promise<HttpReply>)[] = [
      () => Promise.resolve(reply(403, '{"errorCode":"CMN-408"}')),
      () => Promise.resolve(reply(404, '{"errorCode":"CMN-102"}')),
      () => Promise.resolve(reply(429, '', { 'retry-after': '100000' })),
      () => Promise.reject(new ConnectionError('TIMEOUT', 'unknown', foreignOrigin, undefined)),
      () => Promise.resolve(reply(200, '<html>', { 'content-type': 'text/html; charset=utf-8' })),
      () => Promise.resolve(reply(200, '')),
    ];
    const kinds = new Map<string, number>();
    const { exit, report } = await run(1, 'spec', () => (request) => {
      const index = kinds.get(request.url.href) ?? kinds.size;
      kinds.set(request.url.href, index);
      return (replies[index % replies.length] ?? (() => Promise.resolve(reply(500, ''))))();
    });
    expect(exit).toBe(0);
    const outcomes = report.reads.map(({ status, outcome, connectionError, body }) => [
      status ?? connectionError,
      outcome,
      body,
    ]);
    for (const outcome of [
      [403, 'reply', 'JSON'],
      [404, 'reply', 'JSON'],
      [429, 'rate limited', 'empty'],
      ['TIMEOUT', 'no reply', undefined],
      [200, 'reply', 'not JSON'],
      [200, 'reply', 'empty'],
    ]) {
      expect(outcomes).toContainEqual(outcome);
    }
  });

  it('stops sending after three reads in a row without a reply', async () => {
    const failToConnect = (): Promise<HttpReply> =>
      Promise.reject(new ConnectionError('ECONNREFUSED', 'no', foreignOrigin, undefined));
    const { exit, report } = await run(1, 'spec', () => failToConnect);
    expect(exit).toBe(0);
    expect(report.reads.filter(({ outcome }) => outcome === 'no reply')).toHaveLength(3);
    expect(report.reads.filter(({ notSent }) => notSent?.includes('consecutive')).length).toBeGreaterThan(20);
  });

  it('ends when the session has ended, and still writes the report', async () => {
    const { report } = await run(
      1,
      'spec',
      (send) => (request) =>
        request.url.pathname.endsWith('/presence')
          ? Promise.resolve(reply(401, '{"errorCode":"OAU-213"}'))
          : send(request),
    );
    expect(report.reads.some(({ outcome }) => outcome === 'sign-in required')).toBe(true);
    expect(report.reads.findLast(({ operation }) => operation === 'listTimezones')?.notSent).toBe(
      'the session has ended',
    );
  });

  it('writes a file that says what it contains and that the user must read it', async () => {
    const { exit, stdout, stderr, text } = await run(2, 'current', undefined, 'report.md');
    expect([exit, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/requests sent.*Read .*report\.md before you send it\./);
    expect(text.slice(0, 1500)).toMatch(/Read the file before you send it[\s\S]*contains:[\s\S]*omits:/);
    expect(text).toContain(
      '| listExtensions | GET /restapi/v1.0/account/{accountId}/extension?perPage | 200 |',
    );
  });
});
