import { describe, expect, it } from 'vitest';
import type { Call } from '../../../src/client/index.ts';
import { describeCall } from '../../../src/features/outcome-journal/describe-call.ts';
import { actionOf } from '../../../src/features/policy/index.ts';

const account = '/restapi/v1.0/account/~';
const [one, two, three] = ['+16505550112', '+16505550113', '+442079460000'];
const party = (phoneNumber: string) => ({ phoneNumber });

/** A POST of `api`, which takes a body as text, too. */
function post(path: string, body: unknown, method: Call['method'] = 'POST'): Call {
  return { method, path, body, once: method === 'POST' };
}

describe('a text counts by its recipients, whatever its path', () => {
  it.each<[string, string, unknown, readonly string[]]>([
    ['a text', '/extension/~/sms', { to: [party(one)], text: 'x' }, [one]],
    ['a text to several', '/extension/~/sms', { to: [party(one), party(two)], text: 'x' }, [one, two]],
    ['a picture', '/extension/~/mms', { to: [party(one)] }, [one]],
    [
      'a text of a shared inbox',
      '/message-threads/messages',
      { from: party(two), to: [party(one)], text: 'x' },
      [one],
    ],
    [
      'a batch',
      '/a2p-sms/batches',
      { from: two, text: 'x', messages: [{ to: [one] }, { to: [two, three], text: 'y' }] },
      [one, two, three],
    ],
    ['a batch as JSON in text', '/a2p-sms/batches', JSON.stringify({ messages: [{ to: [one] }] }), [one]],
    ['a path that is not known', '/new-way/texts', { to: party(one), text: 'x' }, [one]],
    ['a post to a chat', '/chats/7/posts', { to: [one, two], text: 'x' }, [one, two]],
    ['one with a number alone', '/new-way/texts', { to: '(650) 555-0112' }, ['(650) 555-0112']],
    ['one with a batch', '/new-way', { messages: [{ to: one }, { to: [party(two)] }] }, [one, two]],
    ['one with a list of messages', '/new-way', [{ to: [one] }, { to: [two] }], [one, two]],
  ])('%s', (_, path, body, numbers) => {
    const call = post(account + path, body);
    expect(actionOf(call)).toMatchObject({
      kind: 'sms',
      numbers,
      count: numbers.length,
      isUnreadable: false,
    });
    const described = describeCall(call);
    expect(described).toMatchObject({ kind: 'sms' });
    // The journal counts by the entries.
    expect(described?.to.split(',')).toHaveLength(numbers.length);
  });

  it.each<[string, unknown, number]>([
    ['/message-threads/messages', { text: 'x' }, 1],
    ['/message-threads/5/messages', { text: 'x' }, 1],
    ['/extension/~/message-threads/a-5/messages/', { text: 'x' }, 1],
    ['/a2p-sms/batches', { messages: [{ to: [one] }, { text: 'nobody' }] }, 2],
    ['/a2p-sms/batches', { messages: [{ to: [one] }, { to: [{ extensionId: 7 }] }] }, 2],
    ['/a2p-sms/batches', 'no JSON', 1],
  ])('%s with receivers that cannot be read: %j', (path, body, count) => {
    const call = post(account + path, body);
    expect(actionOf(call)).toMatchObject({ kind: 'sms', count, isUnreadable: true });
    expect(describeCall(call)?.to.split(',')).toHaveLength(count);
  });

  it.each<[string, string, unknown]>([
    [
      'two lists of receivers',
      '/extension/~/sms',
      '{"to":[{"phoneNumber":"+1900"}],"to":[{"phoneNumber":"+1650"}]}',
    ],
    [
      'a receiver with two numbers',
      '/extension/~/sms',
      '{"to":[{"phoneNumber":"+1900","phoneNumber":"+1650"}]}',
    ],
    ['two batches', '/a2p-sms/batches', '{"messages":[{"to":["+1900"]}],"messages":[{"to":["+1650"]}]}'],
    ['a form', '/extension/~/sms', '--B\r\nContent-Type: application/json\r\n\r\n{"to":[]}\r\n--B--'],
  ])('%s cannot be counted, and not be checked', (_, path, body) => {
    for (const sent of [body, new TextEncoder().encode(String(body))])
      expect(actionOf(post(account + path, sent))).toMatchObject({ isUnreadable: true, isUncounted: true });
    expect(
      actionOf(post(account + path, '{"to":[{"phoneNumber":"+16505550112"}],"text":"a \\"to\\": b"}')),
    ).toMatchObject({
      isUncounted: false,
    });
  });

  it('a text sent on such a path is not looked up in the own mailbox', () => {
    const body = { from: party(two), to: [party(one)], text: 'x' };
    expect(describeCall(post(`${account}/message-threads/messages`, body))?.digest).toBe('');
    expect(describeCall(post(`${account}/extension/~/sms`, body))?.digest).not.toBe('');
  });

  it.each<[string, Call]>([
    ['a schedule', post(`${account}/rules`, { from: '2026-11-22', to: '2026-11-23T00:00:00Z' })],
    ['a word', post(`${account}/forward`, { to: 'Voicemail' })],
    ['an extension', post(`${account}/forward`, { to: { extensionId: '171857100' } })],
    ['a subscription', post('/restapi/v1.0/subscription', { eventFilters: ['/x'] })],
    ['messages without receivers', post(`${account}/x`, { messages: [{ id: 1 }] })],
    ['an end', post(`${account}/x`, { to: one }, 'DELETE')],
  ])('%s sends nothing', (_, call) => {
    expect(actionOf(call)).toEqual({ kind: 'write', numbers: [] });
  });

  it('a call counts once, whoever is called', () => {
    const body = { from: party(one), to: party(two) };
    const action = actionOf(post(`${account}/extension/~/ring-out`, body));
    expect(action).toMatchObject({ kind: 'ringout', numbers: [two, one], count: 1 });
  });
});
