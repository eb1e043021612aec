import { describe, expect, test } from 'vitest';
import { operations, type Operation } from '../../../src/contract/operations.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { signInAs } from '../../support/sandbox.ts';
import { rejection, send, userClient } from '../request.ts';

describe('who is calling', () => {
  test('spec:BASE-20, OAUTH-6, OAUTH-40 bearer in any case, and access_token in the query', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const token = await signInAs(sandbox, '102');
    const path = '/account/~/extension/~/presence';
    const lower = await send(sandbox, 'GET', path, { headers: { authorization: `bearer ${token}` } });
    const query = await send(sandbox, 'GET', `${path}?access_token=${token}`);
    expect([lower.status, query.status]).toEqual([200, 200]);
    expect(sandbox.requestLog().at(-1)).toMatchObject({ unread: [], operation: 'readPresence' });
    expect(sandbox.requestLog().at(-1)?.path).toContain('access_token=***');
  });

  test('spec:BASE-26, ERROR-25 no token, a malformed header, an unknown token', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const none = await send(sandbox, 'GET', '/subscription');
    const malformed = await send(sandbox, 'GET', '/subscription', { headers: { authorization: 'Bearer' } });
    const unknown = await send(sandbox, 'GET', '/subscription', { token: 'nobody' });
    expect([none, malformed, unknown].map(rejection)).toEqual(['401 OAU-123', '401 OAU-123', '401 OAU-213']);
    expect(unknown.body.errorCode).toBe('TokenInvalid');
    expect(unknown.headers.get('x-request-id')).toBe('sandbox-00000003');
    const { records } = await sandbox.control('GET', '/requests');
    const log = sandbox.requestLog();
    for (const entries of [log, records as typeof log])
      expect([none, malformed, unknown].map(({ body }) => body.errors?.[0])).toMatchObject(
        entries.map(({ errorCode, errorMessage }) => ({ errorCode, message: errorMessage })),
      );
  });

  test('spec:OAUTH-44, OAUTH-46, ERROR-6, ERROR-26 an access token ends by the clock', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    await sandbox.clock.advance(3_599_999);
    expect((await user.get('/subscription')).status).toBe(200);
    await sandbox.clock.advance(1);
    const late = await user.get('/subscription');
    expect(rejection(late)).toBe('401 OAU-128');
    expect(late.body.errorCode).toBe('OAU-128');
  });

  test('spec:PERMISSION-1 the app needs the permission of the operation', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, 'administrator', 'sandbox-reader');
    expect((await user.get('/account/~/extension')).status).toBe(200);
    const rejected = await user.get('/account/~/extension/~/presence');
    expect(rejected.status).toBe(403);
    expect(rejected.body).toMatchObject({
      errorCode: 'InsufficientPermissions',
      permissionName: 'ReadPresence',
      errors: [{ errorCode: 'CMN-401', permissionName: 'ReadPresence' }],
    });
  });
});

describe('operations', () => {
  test.each(Object.entries(operations))(
    '%s is served, and asks who is calling',
    async (id, operation: Operation) => {
      const dialect = operation.dialects?.[0] ?? 'spec';
      await using sandbox = await startSandbox({ listen: false, dialect });
      const path = operation.path.replaceAll(/\{\w+\}/g, '1');
      const { status, body } = await send(sandbox, operation.method, path);
      expect(body.errorCode).not.toBe('AGW-404');
      const open: Readonly<Record<string, number>> = {
        readApiVersions: 200,
        readChannelTime: 200,
        leaveChannel: 200,
      };
      const closed = operation.authorization === 'none' || id === 'issueToken' ? 400 : 401;
      expect(status).toBe(open[id] ?? closed);
      expect(sandbox.requestLog()).toMatchObject([{ operation: id, status }]);
    },
  );
});

describe('bad requests', () => {
  test('spec:ERROR-3, ERROR-12 unknown route, unknown account, extension and message', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, 'administrator');
    const route = await user.get('/account/~/nothing');
    expect(route.status).toBe(404);
    expect(route.body).toEqual({ errorCode: 'AGW-404', message: 'Resource not found', errors: [] });
    const paths = [
      '/account/1/extension',
      '/account/~/extension/1/presence',
      '/account/~/extension/~/message-store/1',
    ];
    const rejections = await Promise.all(paths.map((path) => user.get(path)));
    expect(rejections.map(rejection)).toEqual(['404 CMN-102', '404 CMN-102', '404 CMN-102']);
    expect(rejections.map(({ body }) => body['parameterName'])).toEqual([
      'accountId',
      'extensionId',
      'messageId',
    ]);
  });

  test('a path parameter of the wrong shape', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const rejected = await user.get('/account/~/extension/..%2F..%2Fetc/presence');
    expect(rejection(rejected)).toBe('400 CMN-101');
    expect(rejected.body['parameterName']).toBe('extensionId');
  });

  test('spec:BASE-27, ERROR-13 malformed JSON, an empty body, a wrong type, a body too large', async () => {
    await using sandbox = await startSandbox({ listen: false, settings: { requestBodyBytes: 2000 } });
    const token = await signInAs(sandbox, '102');
    const headers = { 'content-type': 'application/json' };
    const put = (body: string) =>
      send(sandbox, 'PUT', '/account/~/extension/~/presence', { token, headers, body });
    const answers = [
      await put('{"a":'),
      await put(''),
      await put('[]'),
      await put(JSON.stringify('x'.repeat(3000))),
    ];
    expect(answers.map(rejection)).toEqual(['400 CMN-103', '400 CMN-104', '400 CMN-104', '413 CMN-104']);
    const wrong = await put('{"allowSeeMyPresence":"yes"}');
    expect(rejection(wrong)).toBe('400 CMN-101');
    expect(wrong.body['parameterName']).toBe('allowSeeMyPresence');
  });

  test('spec:CLIENT-10 members that no operation reads are ignored and noted', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const answer = await user.put('/account/~/extension/~/presence?verbose=1', {
      message: 'out',
      mood: { good: true },
    });
    expect(answer.body['message']).toBe('out');
    expect(sandbox.requestLog().at(-1)).toMatchObject({
      method: 'PUT',
      status: 200,
      operation: 'updatePresence',
      unread: expect.arrayContaining(['mood', '?verbose']) as string[],
    });
    expect(sandbox.requestLog().at(-1)).not.toHaveProperty('errorCode', expect.anything());
  });

  test('a rejected request changes nothing', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const admin = await userClient(sandbox, 'administrator');
    const queue = sandbox.ready.queues[0]?.id;
    const before = sandbox.members(queue ?? '').length;
    const items = [{ departmentId: queue, addedExtensionIds: ['171857105'] }, { departmentId: '1' }];
    expect(rejection(await admin.post('/account/~/department/bulk-assign', { items }))).toBe('400 CMN-102');
    expect(sandbox.members(queue ?? '')).toHaveLength(before);
  });
});

describe('method override', () => {
  test('spec:BASE-17 method tunnelling: POST stands for PUT and DELETE, by header and by query', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const token = await signInAs(sandbox, '102');
    const changed = await send(sandbox, 'POST', '/account/~/extension/~/presence', {
      token,
      headers: { 'X-HTTP-Method-Override': 'PUT' },
      json: { message: 'lunch' },
    });
    expect(changed.body['message']).toBe('lunch');
    const gone = await send(sandbox, 'POST', '/subscription/none?_method=DELETE', { token });
    expect(rejection(gone)).toBe('404 CMN-102');
  });

  test('spec:ERROR-22 header and query that disagree, and a GET that claims to be something else', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const headers = { 'x-http-method-override': 'PUT' };
    const torn = await send(sandbox, 'POST', '/subscription?_method=DELETE', { headers });
    const disguised = await send(sandbox, 'GET', '/subscription', { headers });
    expect([torn, disguised].map(rejection)).toEqual(['400 CMN-407', '400 CMN-407']);
    expect(sandbox.requestLog()).toMatchObject([
      { method: 'POST', status: 400, errorCode: 'CMN-407', errorMessage: torn.body['message'] },
      { method: 'GET', status: 400, errorCode: 'CMN-407', errorMessage: disguised.body['message'] },
    ]);
  });
});
