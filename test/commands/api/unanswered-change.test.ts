import { expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { ConnectionError } from '../../../src/errors/service.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openOffice } from '../office.ts';

const unavailable = { status: 503, body: { errorCode: 'CMN-201', message: 'unavailable' } };

/** A service that makes each change, and whose replies do not confirm the change. */
const withoutConfirmation =
  (isLost: boolean) =>
  (send: HttpSend): HttpSend =>
  async (request) => {
    const reply = await send(request);
    if (request.method === 'GET') return reply;
    await reply.discard();
    if (isLost) throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
    return fakeReply(unavailable);
  };

it.each([
  ['PUT', false, 14],
  ['PUT', true, 14],
  ['POST', false, 14],
  ['DELETE', false, 14],
  ['GET', false, 1],
])(
  'api %s whose last reply does not prove the result (lost: %s) exits with %i',
  async (method, isLost, exit) => {
    const office = await openOffice(
      '102',
      method === 'GET' ? () => () => Promise.resolve(fakeReply(unavailable)) : withoutConfirmation(isLost),
    );
    const path = '/restapi/v1.0/account/~/extension/~/presence';
    const body = method === 'PUT' ? ` -f userStatus=Busy` : '';
    const found = await office.run(`api -X ${method} ${path}${body} --yes --retry 1 -o json`, {
      sleep: () => Promise.resolve(),
    });
    expect([found.exit, JSON.parse(found.stderr.trimEnd().split('\n').at(-1) ?? '')]).toMatchObject([
      exit,
      { error: { code: exit === 14 ? 'outcome_unknown' : 'service_failed', retryable: exit === 1 } },
    ]);
  },
);
