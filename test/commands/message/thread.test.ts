import { expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openOffice } from '../office.ts';

it.each([
  ['with a type', { type: 'Fax' }, 'message 5 (Fax) has no conversation'],
  ['without a type', {}, 'message 5 has no conversation'],
])('a message %s and without a conversation has no thread', async (_, members, message) => {
  const around =
    (send: HttpSend): HttpSend =>
    (request) =>
      request.url.pathname.endsWith('/message-store/5')
        ? Promise.resolve(fakeReply({ status: 200, body: { id: 5, ...members } }))
        : send(request);
  const office = await openOffice('administrator', around);
  const { exit, stderr } = await office.run('message thread 5 -o json');
  expect({ exit, message: (JSON.parse(stderr) as { error: { message: string } }).error.message }).toEqual({
    exit: 3,
    message,
  });
});
