import { describe, expect, it } from 'vitest';
import { Interrupted } from '../../src/errors/interrupted.ts';
import { DryRunStop } from '../../src/errors/dry-run-stop.ts';
import {
  ApiError,
  ConnectionError,
  OutcomeUnknownError,
  PathValueError,
  RateLimitError,
  ReplyError,
  SignInRequiredError,
} from '../../src/errors/service.ts';
import { CommandError, Exit } from '../../src/errors/command.ts';
import { nounWith } from '../support/example-noun.ts';
import { type RunOptions, runUcctl, type RunResult } from '../support/run-ucctl.ts';

const request = { method: 'GET', path: '/restapi/v1.0/account/~/call-log' };
const failWith = (error: unknown, argv = 'book list', options: RunOptions = {}): Promise<RunResult> =>
  runUcctl(argv, {
    nouns: nounWith(async () => {
      throw error;
    }),
    ...options,
  });
const apiError = (status: number, more: object = {}): ApiError =>
  new ApiError({ status, errorCode: 'CMN-101', message: 'no', request, requestId: 'r-1', ...more });

it('a system error names the file and the reason, not the system call', async () => {
  const error = Object.assign(new Error("EACCES: permission denied, open '/data/x'"), {
    code: 'EACCES',
    syscall: 'open',
    path: '/data/x',
  });
  const { exit, stderr } = await failWith(error);
  expect([exit, stderr]).toEqual([
    Exit.local,
    'error: cannot use /data/x: permission denied\n' +
      '  try:     check the owner and mode of the file and its folder; to select another folder: ucctl help environment\n',
  ]);
});

it('a failed write without the path of the file has the reason in plain words', async () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  });
  expect((await failWith(error)).stderr).toBe(
    'error: cannot write a file: the disk is full\n  try:     free up space on the disk\n',
  );
});

it.each([
  ['fsync', 'cannot write a file'],
  ['ftruncate', 'cannot write a file'],
  ['read', 'cannot read a file'],
])('a failed %s of an open file has the reason in plain words and a next step', async (syscall, what) => {
  const error = Object.assign(new Error(`EIO: i/o error, ${syscall}`), { code: 'EIO', syscall });
  expect((await failWith(error)).stderr).toBe(
    `error: ${what}: the disk failed to read or write\n  try:     check the disk for errors\n`,
  );
});

it('an error of a port is not reported as an error of a file', async () => {
  const error = Object.assign(new Error('listen EACCES: permission denied 127.0.0.1:80'), {
    code: 'EACCES',
    syscall: 'listen',
  });
  expect((await failWith(error)).stderr).toBe('error: listen EACCES: permission denied 127.0.0.1:80\n');
});

it.each([
  ['EDQUOT', 'the disk quota is used up', 'free up space in your quota'],
  ['EROFS', 'the disk is read-only', 'use a folder on another disk'],
  ['EMFILE', 'this process has too many open files (ulimit -n)', 'raise the limit of the shell (ulimit -n)'],
])('%s names the reason and the next step', async (code, reason, hint) => {
  const error = Object.assign(new Error(`${code}: x`), { code, syscall: 'open', path: '/data/x' });
  const { exit, stderr } = await failWith(error);
  expect([exit, stderr]).toEqual([12, `error: cannot use /data/x: ${reason}\n  try:     ${hint}\n`]);
});

describe('exit codes', () => {
  it.each<[string, unknown, number, string]>([
    ['CommandError', new CommandError('my_code', Exit.partial, 'x'), 8, 'my_code'],
    ['400', apiError(400), 1, 'service_rejected'],
    ['401', apiError(401), 4, 'sign_in_required'],
    ['403', apiError(403), 1, 'service_rejected'],
    ['403 with a permission', apiError(403, { permissionName: 'ReadCallLog' }), 5, 'permission_missing'],
    ['404', apiError(404), 3, 'not_found'],
    ['spec:ERROR-12 in a body', apiError(400, { errorCode: 'CMN-102' }), 3, 'not_found'],
    ['408', apiError(408), 1, 'service_failed'],
    ['409', apiError(409), 11, 'conflict'],
    ['429', apiError(429, { retryAfterSeconds: 17 }), 6, 'rate_limited'],
    ['499', apiError(499), 1, 'service_failed'],
    ['503', apiError(503), 1, 'service_failed'],
    ['503 for a change', Object.assign(apiError(503), { mayBeDone: true }), 14, 'outcome_unknown'],
    ['no session', new SignInRequiredError('no-session', 'x'), 4, 'sign_in_required'],
    [
      'refused connection',
      new ConnectionError('ECONNREFUSED', 'no', 'http://127.0.0.1:1', undefined),
      7,
      'network',
    ],
    [
      'pipe of a connection',
      new ConnectionError('EPIPE', 'unknown', 'http://127.0.0.1:1', undefined),
      7,
      'network',
    ],
    ['certificate', new ConnectionError('CERT_HAS_EXPIRED', 'no', 'https://x', undefined), 7, 'tls'],
    ['invalid ID', new PathValueError('..'), 2, 'usage'],
    ['unknown outcome', new OutcomeUnknownError(request, undefined), 14, 'outcome_unknown'],
    ['reply', new ReplyError(200, request, 'HTML'), 1, 'bad_reply'],
    ['reply to a change', new ReplyError(200, request, 'HTML', { mayBeDone: true }), 14, 'outcome_unknown'],
    ['disk', Object.assign(new Error('ENOSPC: full'), { code: 'ENOSPC', syscall: 'write' }), 12, 'local'],
    ['fault', new TypeError('x is not a function'), 70, 'bug'],
    ['thrown value that is not an Error', 'text', 70, 'bug'],
  ])('%s', async (_name, error, exit, code) => {
    const json = await failWith(error, 'book list -o json');
    expect(json.exit).toBe(exit);
    expect(json.stdout).toBe('');
    expect(json.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code, exit } });
    const human = await failWith(error);
    expect(human.exit).toBe(exit);
    expect(human.stderr).toMatch(/^error: /);
    expect(human.stderr).not.toContain('    at ');
  });
});

it('formats an error for people', async () => {
  const error = apiError(403, {
    permissionName: 'ReadCompanyCallLog',
    errorCode: 'InsufficientPermissions',
    message: 'the account call log needs an administrator',
  });
  const hinted = new CommandError('permission_missing', Exit.permission, error.message, {
    need: 'permission ReadCompanyCallLog',
    hint: 'ucctl calllog list --extension ~',
    details: ['seen: 1'],
    cause: error,
  });
  expect((await failWith(hinted)).stderr).toBe(
    [
      'error: the account call log needs an administrator [InsufficientPermissions, HTTP 403]',
      '  seen: 1',
      '  need:    permission ReadCompanyCallLog',
      '  try:     ucctl calllog list --extension ~',
      '  request: GET /restapi/v1.0/account/~/call-log   ID r-1   profile default',
      '',
    ].join('\n'),
  );
});

it('names the base URL for a 404 that has no code of the service', async () => {
  const { exit, stderr } = await failWith(apiError(404, { errorCode: 'HTTP-404' }));
  expect([exit, stderr]).toEqual([
    3,
    [
      'error: no [HTTP 404]',
      '  try:     check the base URL, because the reply has no error code of the service: ucctl config list --show-origin; if it is correct, check the ID',
      '  request: GET /restapi/v1.0/account/~/call-log   ID r-1   profile default',
      '',
    ].join('\n'),
  ]);
});

it.each([403, 407, 511])(
  'names the proxy and the network for a %d that has no code of the service',
  async (status) => {
    const { exit, stderr } = await failWith(apiError(status, { errorCode: `HTTP-${status}` }));
    expect([exit, stderr]).toEqual([
      1,
      expect.stringContaining(
        'check the proxy and the sign-in page of the network, because the reply has no error code',
      ),
    ]);
  },
);

it('names the sign-in page of the network for a redirect to a host that is not found', async () => {
  const redirectedFrom = 'https://service.test';
  const error = new ConnectionError('ENOTFOUND', 'no', 'https://wifi.test', undefined, { redirectedFrom });
  const { exit, stderr } = await failWith(error);
  expect([exit, stderr]).toEqual([
    7,
    expect.stringContaining(
      'cannot connect to https://wifi.test, to which https://service.test redirected the request: host not found (ENOTFOUND)\n  try:     check the sign-in page of the network',
    ),
  ]);
});

it.each([
  [false, 1, 'try:     check the proxy and the sign-in page of the network, and check the base URL'],
  [true, 14, 'before you repeat it; then check the proxy and the sign-in page of the network'],
])('names the sign-in page of the network for a page of another server', async (mayBeDone, code, hint) => {
  const error = new ReplyError(200, request, 'a body that is not JSON', { mayBeDone, isForeign: true });
  const { exit, stderr } = await failWith(error);
  expect([exit, stderr]).toEqual([code, expect.stringContaining(hint)]);
});

it('names the sign-in page of the network for a request whose outcome its redirect leaves open', async () => {
  const cause = new ReplyError(302, request, 'a redirect to https://wifi.test', { isForeign: true });
  const { exit, stderr } = await failWith(new OutcomeUnknownError(request, cause));
  expect([exit, stderr]).toEqual([
    14,
    expect.stringContaining('before you repeat it; then check the proxy and the sign-in page of the network'),
  ]);
});

it('names the status of a proxy that rejects the connection', async () => {
  const error = new ConnectionError('PROXY_502', 'no', 'https://service.test', undefined);
  const { exit, stderr } = await failWith(error);
  expect([exit, stderr]).toEqual([
    7,
    expect.stringContaining(
      'cannot connect to https://service.test: the proxy replied with HTTP 502 (PROXY_502)',
    ),
  ]);
});

it('explains a server without TLS', async () => {
  const error = new ConnectionError(
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'no',
    'https://127.0.0.1:8080',
    undefined,
  );
  expect((await failWith(error)).stderr).toContain(
    'cannot connect to https://127.0.0.1:8080: the server does not use TLS (ERR_SSL_WRONG_VERSION_NUMBER)',
  );
});

it('writes every field of an error in JSON', async () => {
  const { stderr } = await failWith(apiError(429, { retryAfterSeconds: 17 }), 'book list --json');
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'rate_limited',
      message: 'no',
      hint: 'wait 17 s and retry',
      retryable: true,
      retry_after: 17,
      http_status: 429,
      server_code: 'CMN-101',
      request_id: 'r-1',
      exit: 6,
    },
  });
});

it('states the wait for a rate limit in JSON, also if the limit stopped a run', async () => {
  const limit = new RateLimitError('heavy', 17, { method: 'GET', path: '/x' });
  const partial = new CommandError('partial', Exit.partial, 'stopped', { cause: limit });
  for (const error of [limit, partial]) {
    const { stderr } = await failWith(error, 'book list --json');
    expect(JSON.parse(stderr)).toMatchObject({ error: { retry_after: 17 } });
  }
});

it('names the --max-wait that is long enough for a rate limit', async () => {
  const limit = new RateLimitError('heavy', 3600, { method: 'GET', path: '/x' });
  expect((await failWith(limit)).stderr).toMatch(
    /retry in 3600 s, or let ucctl wait with --max-wait 3600s$/m,
  );
});

describe('spec:ERROR-1 the reasons in a reply', () => {
  const reason = { errorCode: 'MSG-381', message: 'no', parameterName: 'to' };
  const several = {
    errorCode: 'InvalidParameter',
    errors: [
      { errorCode: 'MSG-246', message: 'an extension number', parameterName: 'to[0].phoneNumber' },
      { errorCode: 'MSG-247', message: 'a short code\x1b[2J', parameterName: 'to[1].phoneNumber' },
    ],
  };

  it('a code that names only the class of the error is followed by the code of the reason', async () => {
    const error = apiError(400, { errorCode: 'InvalidParameter', errors: [reason] });
    expect((await failWith(error)).stderr).toContain('error: no [InvalidParameter, MSG-381, HTTP 400]\n');
    const { stderr } = await failWith(error, 'book list --json');
    expect(JSON.parse(stderr)).toMatchObject({
      error: { server_code: 'InvalidParameter', server_errors: [{ code: 'MSG-381', parameter: 'to' }] },
    });
  });

  it('several reasons, each with its parameter', async () => {
    const { stderr } = await failWith(apiError(400, several));
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      'error: no [InvalidParameter, HTTP 400]',
      '  an extension number [MSG-246, to[0].phoneNumber]',
      '  a short code␛[2J [MSG-247, to[1].phoneNumber]',
    ]);
    const json = await failWith(apiError(400, several), 'book list --json');
    expect(JSON.parse(json.stderr)).toMatchObject({
      error: { server_errors: [{ message: 'an extension number' }, { code: 'MSG-247' }] },
    });
  });

  it('a reason that repeats the code and the message is not shown again', async () => {
    const error = apiError(400, { errors: [{ errorCode: 'CMN-101', message: 'no', parameterName: 'to' }] });
    expect((await failWith(error)).stderr).toContain('error: no [CMN-101, HTTP 400]\n');
    expect((await failWith(error, 'book list --json')).stderr).not.toContain('server_errors');
  });
});

it('spec:ERROR-18 does not suggest to repeat a request that the service does not support', async () => {
  const { stderr } = await failWith(apiError(501, { errorCode: 'CMN-202' }), 'book list --json');
  expect(JSON.parse(stderr)).toMatchObject({
    error: {
      code: 'service_failed',
      retryable: false,
      hint: expect.stringContaining('does not support') as string,
    },
  });
});

it.each(['MSG-243', 'MSG-245', 'MSG-246', 'MSG-247', 'MSG-337', 'MSG-381'])(
  'spec:ERROR-30, ERROR-34, ERROR-35 %s has its own next step',
  async (errorCode) => {
    const { stderr } = await failWith(apiError(400, { errorCode }));
    expect(stderr).not.toContain('fix the request as described');
  },
);

it('shows the trace and its causes only under --debug', async () => {
  const { stderr } = await failWith(
    new Error('outer', { cause: new Error('inner\x1b[2J') }),
    'book list --debug',
  );
  expect(stderr).toContain('    at ');
  expect(stderr).toContain('caused by: Error: inner␛[2J');
});

describe('a dry run', () => {
  const stop = new DryRunStop({
    method: 'POST',
    url: 'https://x/sms',
    body: { to: [{ phoneNumber: '+1555' }], verificationToken: 'hush' },
  });

  it('prints the request with secrets masked and ends with 0', async () => {
    expect(await failWith(stop, 'book put 1 -n')).toEqual({
      exit: 0,
      stderr: '',
      stdout: `POST https://x/sms\n\n${JSON.stringify({ to: [{ phoneNumber: '+1555' }], verificationToken: '***' }, null, 2)}\n`,
    });
  });

  it.each([
    ['application/json', '{"to":"+1555","secret":"hush"}', '"secret": "***"'],
    ['application/x-www-form-urlencoded', 'to=%2B1555&password=hush', 'to=%2B1555&password=***'],
  ])('masks the secrets in a text of %s', async (contentType, text, shown) => {
    const sent = new DryRunStop({ method: 'POST', url: 'https://x/y', contentType, body: text, text });
    for (const words of ['book put 1 -n', 'book put 1 -n -o json']) {
      const { stdout } = await failWith(sent, words);
      expect(stdout).not.toContain('hush');
    }
    expect((await failWith(sent, 'book put 1 -n')).stdout).toContain(shown);
  });

  it('is one object in JSON', async () => {
    const { stdout } = await failWith(stop, 'book put 1 -n -o json');
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'POST',
      url: 'https://x/sms',
      body: { verificationToken: '***' },
    });
  });
});

describe('interruption', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s ends quietly with %i', async (name, exit) => {
    const controller = new AbortController();
    controller.abort(new Interrupted(name));
    const result = await failWith(controller.signal.reason, 'book list', { signal: controller.signal });
    expect(result).toEqual({ exit, stdout: '', stderr: '' });
    const abort = new DOMException('aborted', 'AbortError');
    expect((await failWith(abort, 'book list', { signal: controller.signal })).exit).toBe(exit);
  });

  it('does not change the exit code of another error or of a success', async () => {
    const controller = new AbortController();
    controller.abort(new Interrupted('SIGINT'));
    expect((await failWith(apiError(404), 'book list', { signal: controller.signal })).exit).toBe(3);
    const nouns = nounWith(async () => undefined);
    expect((await runUcctl('book list', { nouns, signal: controller.signal })).exit).toBe(0);
  });
});

describe('without a session', () => {
  const nouns = nounWith(async (ctx) => {
    await ctx.api();
  });

  it('and without an address it needs a sign-in', async () => {
    const { exit, stderr } = await runUcctl('book list', { nouns });
    expect(exit).toBe(4);
    expect(stderr).toContain('ucctl login');
  });

  it('a base URL that is not allowed is reported with its origin', async () => {
    const env = { UCCTL_BASE_URL: 'http://example.com', UCCTL_TOKEN: 't' };
    const { exit, stderr } = await runUcctl('book list', { nouns, env });
    expect(exit).toBe(2);
    expect(stderr).toContain('UCCTL_BASE_URL');
  });
});

it.each([
  ['CMN-401', 'add the permission to the app registration, then sign in again: ucctl login'],
  ['CMN-408', 'ask an administrator, or sign in as a user with this permission (ucctl login)'],
])('the hint for %s names what grants the permission', async (errorCode, hint) => {
  const errors = [{ errorCode, message: 'no', permissionName: 'RingOut' }];
  const error = apiError(403, { errorCode: 'InsufficientPermissions', permissionName: 'RingOut', errors });
  const { exit, stderr } = await failWith(error);
  expect(exit).toBe(5);
  expect(stderr).toContain('need:    permission RingOut');
  expect(stderr).toContain(`try:     ${hint}`);
});
