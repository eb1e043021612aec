import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../src/errors/service.ts';
import { fakeReply } from '../support/fake-service.ts';
import { openOffice } from './office.ts';

interface Failure {
  readonly exit: number;
  readonly code: string;
  readonly retryable: boolean;
  readonly details: readonly string[];
  readonly hint: string;
}

const failureIn = (stderr: string): Failure =>
  (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { error: Failure }).error;

const commands = [
  'subscribe delete',
  'subscribe renew',
  'webhook activate',
  'webhook suspend',
  'webhook delete --yes',
];

describe.each(commands)('%s of several IDs', (line) => {
  it('of which none exists fails as for one ID', async () => {
    const { run } = await openOffice('administrator');
    const one = await run(`${line} a -o json`);
    const several = await run(`${line} a b -o json`);
    expect([one.exit, failureIn(one.stderr).code]).toEqual([3, 'not_found']);
    expect(several.exit).toBe(3);
    expect(failureIn(several.stderr)).toMatchObject({
      code: 'not_found',
      details: [expect.stringMatching(/^a: .*not found/), expect.stringMatching(/^b: .*not found/)],
      hint: failureIn(one.stderr).hint,
    });
  });

  it('that all failed to reach the service may be retried', async () => {
    const { run } = await openOffice('administrator', (send) => (request) => {
      if (request.method === 'GET' || request.url.pathname.includes('oauth')) return send(request);
      throw new ConnectionError('ECONNREFUSED', 'no', request.url.origin, undefined);
    });
    const { exit, stderr } = await run(`${line} a b --retry 0 -o json`);
    expect(exit).toBe(7);
    expect(failureIn(stderr)).toMatchObject({ code: 'network', retryable: true });
  });
});

it('fails with exit 1 and all reasons if the items failed for different reasons', async () => {
  const { run } = await openOffice(
    'administrator',
    (send) => async (request) =>
      request.url.pathname.endsWith('/b/renew') ? fakeReply({ status: 403, body: {} }) : send(request),
  );
  const { exit, stderr } = await run('subscribe renew a b -o json');
  expect(exit).toBe(1);
  expect(failureIn(stderr)).toMatchObject({
    code: 'failed',
    retryable: false,
    details: [expect.stringMatching(/^a: .*not found/), expect.stringMatching(/^b: /)],
  });
});

it('is partial only if an item succeeded', async () => {
  const { run } = await openOffice('administrator');
  const made = await run('subscribe create --events presence --transport channel -o json');
  const { id } = JSON.parse(made.stdout) as { id: string };
  const { exit, stderr } = await run(`subscribe delete ${id} b -o json`);
  expect([exit, failureIn(stderr)]).toMatchObject([8, { code: 'partial' }]);
});
