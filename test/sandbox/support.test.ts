import { expect, test } from 'vitest';
import { startSandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { sandboxHttp, signInAs, userOf } from '../support/sandbox.ts';

const request = { method: 'GET', headers: {}, timeoutMilliseconds: 1000 };

test('the network of tests: status, headers, body as text and as bytes', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const token = await signInAs(sandbox, 'operator');
  const url = new URL('/restapi/v1.0/subscription', sandbox.url);
  const headers = { authorization: `Bearer ${token}` };
  const reply = await sandboxHttp(sandbox)({ ...request, url, headers });
  expect([reply.status, reply.header('Content-Type')]).toEqual([200, 'application/json;charset=UTF-8']);
  const text = await reply.text();
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await sandboxHttp(sandbox)({ ...request, url, headers })).bytes())
    chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe(text);
});

test('an abort ends a request that is not answered', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const url = new URL('/restapi/v1.0/subscription', sandbox.url);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(sandboxHttp(sandbox)({ ...request, url, signal })).rejects.toThrow('enough');
});

test('an unknown user is named', async () => {
  await using sandbox = await startSandbox({ listen: false });
  expect(() => userOf(sandbox, 'nobody')).toThrow('nobody');
  await expect(signInAs(sandbox, 'frozen')).rejects.toThrow('Frozen');
});

test('an ID without an extension or a call queue is an error, for example an extension number', async () => {
  await using sandbox = await startSandbox({ listen: false });
  expect(() => sandbox.messages('102')).toThrow('extension with the ID 102 not found');
  expect(() => sandbox.members('201')).toThrow('extension with the ID 201 not found');
  expect(() => sandbox.members('171857102')).toThrow('call queue with the ID 171857102 not found');
  expect(sandbox.messages('171857102')).toEqual(sandbox.messages(171_857_102));
});

test.each<[unknown, RegExp]>([
  [{ dialect: 'curent' }, /^dialect must be one of spec, current$/],
  [{ dialect: { queues: 'departments' } }, /^dialect must be one of spec, current$/],
  [{ clock: 'freeze' }, /^clock: must be real, frozen, or a speed above 0 such as 60x$/],
  [{ clock: 3 }, /^clock: must be real/],
  [{ clock: '0x' }, /^clock: must be real/],
  [{ rateLimits: true }, /^rateLimits must be one of realistic, off$/],
  [{ startTime: '2026-01-05' }, /^startTime must be a number$/],
  [{ seed: '7' }, /^seed must be a number$/],
  [{ mediaPort: 99_999 }, /^mediaPort must be at most 65535$/],
  [{ redirectUris: 'http://localhost/callback' }, /^redirectUris must be a list$/],
  [{ database: '' }, /^database must not be empty$/],
  [{ dialec: 'current' }, /^"dialec" is not a valid field$/],
  [{ listen: 'no' }, /^listen must be/],
  [{ listen: false, tls: true }, /^tls has no effect with listen: false$/],
  [{ listen: false, mediaPort: 0 }, /^mediaPort has no effect with listen: false$/],
  [{ publicUrl: 'sandbox:8080' }, /^publicUrl: must be an http or https address without a path$/],
  [{ publicUrl: 'http://sandbox/api' }, /^publicUrl: must be an http or https address without a path$/],
  [{ publicUrl: 'http://sandbox', mediaPort: 0 }, /^publicUrl and mediaPort cannot be combined$/],
  [{ onFailure: true }, /^onFailure: must be a function$/],
  [{ onWarning: true }, /^onWarning: must be a function$/],
  [null, /^the input must be an object$/],
])('the options %j are rejected before the sandbox starts', async (options, said) => {
  const started = startSandbox(options as SandboxOptions);
  await expect(started).rejects.toMatchObject({ name: 'ControlError', message: expect.stringMatching(said) });
});
