import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/client/http.ts';
import { forwardTarget } from '../../../../src/features/live/deliver/target.ts';
import { fakeReply } from '../../../support/fake-service.ts';

const event = {
  key: 'one',
  uuid: 'one',
  event: '/restapi/v1.0/account/~/extension/2/presence',
  timestamp: '',
  body: {},
};

it.each([
  ['http://127.0.0.1:3000/hook', undefined],
  ['http://ada:s%C3%A9cret@127.0.0.1:3000/hook', `Basic ${Buffer.from('ada:sécret').toString('base64')}`],
])('an event is forwarded to %s with the authorization %s', async (url, authorization) => {
  const sent: HttpRequest[] = [];
  const target = forwardTarget(new URL(url), undefined, async (request) => {
    sent.push(request);
    return fakeReply({ status: 204, body: undefined });
  });
  await target.send(event, '{}', new AbortController().signal);
  expect(sent.map(({ headers }) => headers['authorization'])).toEqual([authorization]);
});

it.each([
  ['8d1-4a/+=', '8d1-4a/+='],
  ['ä1', digest('ä1')],
  ['ö1', digest('ö1')],
  ['a b', digest('a b')],
  ['a\r\nb', digest('a\r\nb')],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['x'.repeat(201), digest('x'.repeat(201))],
])('the ID %j of an event is forwarded as %s', async (key, expected) => {
  const sent: HttpRequest[] = [];
  const target = forwardTarget(new URL('http://127.0.0.1:3000'), undefined, async (request) => {
    sent.push(request);
    return fakeReply({ status: 204, body: undefined });
  });
  await target.send({ ...event, key }, '{}', new AbortController().signal);
  expect(sent.map(({ headers }) => headers['ucctl-event-id'])).toEqual([expected]);
});

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
