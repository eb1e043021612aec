import { describe, expect, it } from 'vitest';
import { EventDescriber, EventNames } from '../../../../src/features/live/index.ts';
import { notificationView } from '../../../../src/features/live/notification/notification-view.ts';

const account = '/restapi/v1.0/account/1';
const extension = `${account}/extension/7`;
const names = new EventNames([
  { id: 7, name: 'Dana Okafor', extensionNumber: '102' },
  { id: '8', name: 'Avery Quinn', extensionNumber: '100' },
  { id: 9, name: 'Support', extensionNumber: '201' },
]);
let uuid = 0;
const event = (path: string, body?: object) => ({
  uuid: String((uuid += 1)),
  timestamp: '2026-01-05T09:00:00Z',
  event: path,
  ...(body && { body: body as Record<string, unknown> }),
});
const textOf = (path: string, body?: object, messages?: readonly unknown[]): string =>
  new EventDescriber(names).describe(event(path, body), messages).details;

const presence = `${extension}/presence?detailedTelephonyState=true`;
const inbound = { direction: 'Inbound', from: '+16505550199', to: '201', telephonyStatus: 'Ringing' };
const ringing = (call: object, more: object = {}): object => ({
  extensionId: '7',
  telephonyStatus: 'Ringing',
  presenceStatus: 'Busy',
  dndStatus: 'TakeAllCalls',
  activeCalls: [{ ...inbound, ...call }],
  ...more,
});

describe('the sentence of a presence event', () => {
  it.each([
    [ringing({}), 'Dana Okafor (102) is ringing: +1 650 555 0199 → Support (201)'],
    [
      ringing({ fromName: 'Kim Lee' }),
      'Dana Okafor (102) is ringing: Kim Lee (+1 650 555 0199) → Support (201)',
    ],
    [ringing({ from: '100' }), 'Dana Okafor (102) is ringing: Avery Quinn (100) → Support (201)'],
    [ringing({ to: '102' }), 'Dana Okafor (102) is ringing: call from +1 650 555 0199'],
    [
      ringing({ to: '102', queueCall: true }),
      'Dana Okafor (102) is ringing: call from +1 650 555 0199 (queue call)',
    ],
    [
      ringing({ to: '102', queueCall: true, callInfo: { primary: { type: 'QueueName', value: 'Sales' } } }),
      'Dana Okafor (102) is ringing: +1 650 555 0199 → Sales',
    ],
    [
      ringing({ to: '102', callInfo: { additional: { type: 'QueueExtension', value: '201' } } }),
      'Dana Okafor (102) is ringing: +1 650 555 0199 → Support (201)',
    ],
    [
      ringing({ to: '102', queueCall: true, callInfo: { primary: { type: 'CallerIdName', value: 'Kim' } } }),
      'Dana Okafor (102) is ringing: call from +1 650 555 0199 (queue call)',
    ],
    [
      ringing({ to: '+442079460000', toName: 'Sales' }),
      'Dana Okafor (102) is ringing: +1 650 555 0199 → Sales (+442079460000)',
    ],
    [
      ringing({ to: '+16505550112', toName: 'Dana Okafor' }),
      'Dana Okafor (102) is ringing: call from +1 650 555 0199',
    ],
    [ringing({ from: undefined, to: undefined }), 'Dana Okafor (102) is ringing: call from unknown number'],
    [
      ringing({ direction: 'Outbound', from: '102', to: '+16505550199' }),
      'Dana Okafor (102) is calling +1 650 555 0199',
    ],
    [
      ringing({}, { totalActiveCalls: 3 }),
      'Dana Okafor (102) is ringing: +1 650 555 0199 → Support (201), and 2 more calls',
    ],
    [{ extensionId: 7, telephonyStatus: 'Ringing' }, 'Dana Okafor (102) is ringing (caller not reported)'],
    [
      { activeCalls: [{ ...inbound, to: undefined }] },
      'Dana Okafor (102) is ringing: call from +1 650 555 0199',
    ],
    [
      { telephonyStatus: 'CallConnected', activeCalls: [{ ...inbound, telephonyStatus: 'CallConnected' }] },
      'Dana Okafor (102) is on a call: +1 650 555 0199 → Support (201)',
    ],
    [{ telephonyStatus: 'OnHold' }, 'Dana Okafor (102) has a call on hold'],
    [{ telephonyStatus: 'ParkedCall' }, 'Dana Okafor (102) has a parked call'],
    [{ telephonyStatus: 'Whispering' }, 'Dana Okafor (102) has a call in the state Whispering'],
    [
      { presenceStatus: 'Available', telephonyStatus: 'NoCall', dndStatus: 'TakeAllCalls' },
      'Dana Okafor (102) is available',
    ],
    [
      { presenceStatus: 'Available', dndStatus: 'DoNotAcceptDepartmentCalls' },
      'Dana Okafor (102) is available, does not take queue calls',
    ],
    [
      { userStatus: 'Busy', dndStatus: 'DoNotAcceptAnyCalls' },
      'Dana Okafor (102) is busy, does not take calls',
    ],
    [{ presenceStatus: 'Busy', meetingStatus: 'Connected' }, 'Dana Okafor (102) is busy, is in a meeting'],
    [
      { presenceStatus: 'Offline', dndStatus: 'TakeDepartmentCallsOnly' },
      'Dana Okafor (102) is offline, takes only queue calls',
    ],
    [
      { presenceStatus: 'Away', dndStatus: 'Unknown' },
      'Dana Okafor (102) is Away, has the call status Unknown',
    ],
    [{ sequence: 4 }, 'Dana Okafor (102) changed presence'],
    [
      {
        telephonyStatus: 'NoCall',
        activeCalls: [{ ...inbound, telephonyStatus: 'NoCall', terminationType: 'final' }],
      },
      'Dana Okafor (102) ended a call: +1 650 555 0199 → Support (201)',
    ],
    [{ activeCalls: 'odd', telephonyStatus: null, presenceStatus: {} }, 'Dana Okafor (102) changed presence'],
  ])('%j is "%s"', (body, text) => {
    expect(textOf(presence, body)).toBe(text);
    expect(textOf(`${extension}/presence/line/presence`, body)).toBe(text);
  });

  it.each([
    [ringing({ to: '102' }), 'Dana Okafor (102) missed a call from +1 650 555 0199'],
    [ringing({ queueCall: true }), 'Dana Okafor (102) stopped ringing: +1 650 555 0199 → Support (201)'],
    [
      ringing({ direction: 'Outbound', to: '+16505550199' }),
      'Dana Okafor (102) got no answer from +1 650 555 0199',
    ],
    [{ extensionId: '7', telephonyStatus: 'Ringing' }, 'Dana Okafor (102) stopped ringing'],
    [
      {
        extensionId: '7',
        telephonyStatus: 'CallConnected',
        activeCalls: [{ ...inbound, telephonyStatus: 'CallConnected' }],
      },
      'Dana Okafor (102) ended a call: +1 650 555 0199 → Support (201)',
    ],
    [{ extensionId: '7', telephonyStatus: 'OnHold' }, 'Dana Okafor (102) ended a call'],
    [
      { extensionId: '7', telephonyStatus: 'NoCall', dndStatus: 'DoNotAcceptAnyCalls' },
      'Dana Okafor (102) is available, takes all calls',
    ],
  ])('after %j, an idle person is "%s"', (before, text) => {
    const describer = new EventDescriber(names);
    describer.describe(event(presence, before));
    const idle = {
      extensionId: '7',
      telephonyStatus: 'NoCall',
      presenceStatus: 'Available',
      dndStatus: 'TakeAllCalls',
    };
    expect(describer.describe(event(presence, idle)).details).toBe(text);
  });

  const busyCall = (status: string, more: object = {}) =>
    ringing({ telephonyStatus: status, ...more }, { telephonyStatus: status, userStatus: 'Available' });

  it.each([
    [busyCall('Ringing'), { userStatus: 'Busy' }, 'is now busy, still ringing'],
    [busyCall('CallConnected'), { userStatus: 'Offline' }, 'is now offline, still on a call'],
    [busyCall('OnHold'), { presenceStatus: 'Offline' }, 'is now offline, still with a call on hold'],
    [
      busyCall('Whispering'),
      { userStatus: 'Busy' },
      'is now busy, still with a call in the state Whispering',
    ],
    [
      busyCall('Ringing', { direction: 'Outbound', from: '102', to: '+16505550199' }),
      { userStatus: 'Busy' },
      'is now busy, still calling',
    ],
    [
      busyCall('Ringing'),
      { dndStatus: 'DoNotAcceptDepartmentCalls' },
      'does not take queue calls, still ringing',
    ],
    [
      busyCall('Ringing'),
      { activeCalls: [{ ...inbound, sessionId: '2' }], userStatus: 'Busy' },
      'is ringing: +1 650 555 0199 → Support (201)',
    ],
    [busyCall('Ringing'), {}, 'is ringing: +1 650 555 0199 → Support (201)'],
  ])('during the call %j, the change %j is "%s"', (before, change, text) => {
    const describer = new EventDescriber(names);
    describer.describe(event(presence, before));
    const { details } = describer.describe(event(presence, { ...before, ...change }));
    expect(details).toBe(`Dana Okafor (102) ${text}`);
  });

  it('quotes a presence message that is set during a call', () => {
    const describer = new EventDescriber(names);
    describer.describe(event(presence, busyCall('Ringing')));
    const { details } = describer.describe(event(presence, { ...busyCall('Ringing'), message: 'Lunch' }));
    expect(details).toBe('Dana Okafor (102) changed presence, still ringing: Lunch');
  });

  it('shows the id of an extension whose name is not known', () => {
    expect(textOf(`${account}/extension/55/presence`, { presenceStatus: 'Busy' })).toBe(
      'Extension 55 is busy',
    );
  });
});

const sms = {
  type: 'SMS',
  direction: 'Inbound',
  from: { phoneNumber: '+16505550199' },
  to: [{ phoneNumber: '+16505550110' }],
  subject: 'My order has not arrived',
};

describe('the sentence of a mailbox event', () => {
  const store = `${account}/extension/8/message-store`;
  const added = (type: string, newCount = 1): object => ({ changes: [{ type, newCount, updatedCount: 0 }] });

  it.each([
    [added('SMS'), undefined, 'Avery Quinn (100): 1 new SMS'],
    [added('Voicemail', 2), undefined, 'Avery Quinn (100): 2 new voicemails'],
    [
      {
        changes: [
          { type: 'SMS', newCount: 2, updatedCount: 1 },
          { type: 'Fax', updatedCount: 3 },
        ],
      },
      undefined,
      'Avery Quinn (100): 2 new SMS, 1 SMS changed and 3 faxes changed',
    ],
    [{ changes: 'odd' }, undefined, 'Avery Quinn (100): messages changed'],
    [{ changes: [{ type: 'Chat', newCount: '1' }] }, undefined, 'Avery Quinn (100): 1 new Chat message'],
    [
      { changes: [{ type: '__proto__', newCount: 1 }] },
      undefined,
      'Avery Quinn (100): 1 new __proto__ message',
    ],
    [
      { changes: [{ type: 'constructor', newCount: 2 }] },
      undefined,
      'Avery Quinn (100): 2 new constructor messages',
    ],
    [added('SMS'), [sms], 'SMS from +1 650 555 0199 to Avery Quinn (100): My order has not arrived'],
    [
      added('SMS', 3),
      [sms],
      'SMS from +1 650 555 0199 to Avery Quinn (100) and 2 more: My order has not arrived',
    ],
    [
      added('SMS'),
      [{ ...sms, direction: 'Outbound', to: [{ phoneNumber: '+16505550199' }], messageStatus: 'Queued' }],
      'SMS from Avery Quinn (100) to +1 650 555 0199 (Queued): My order has not arrived',
    ],
    [
      added('Voicemail'),
      [
        {
          type: 'VoiceMail',
          direction: 'Inbound',
          from: { phoneNumber: '+16505550199', name: 'Kim Lee' },
          attachments: [{ vmDuration: 42 }],
        },
      ],
      'Voicemail from Kim Lee (+1 650 555 0199) to Avery Quinn (100) (0:42)',
    ],
    [
      added('Fax'),
      [{ type: 'Fax', direction: 'Inbound', from: { phoneNumber: '+16505550199' }, faxPageCount: 3 }],
      'Fax from +1 650 555 0199 to Avery Quinn (100), 3 pages',
    ],
    [
      added('Pager'),
      [{ type: 'Pager', direction: 'Inbound', from: { extensionNumber: '102' }, subject: 'Call me' }],
      'Pager message from Dana Okafor (102) to Avery Quinn (100): Call me',
    ],
    [added('SMS'), [{ type: 'SMS' }], 'SMS from unknown number to Avery Quinn (100)'],
    [added('SMS'), [null], 'Message from unknown number to Avery Quinn (100)'],
  ])('%j with %j is "%s"', (body, messages, text) => {
    expect(textOf(store, body, messages)).toBe(text);
  });

  it.each([
    [
      '/message-store/instant?type=SMS',
      sms,
      'SMS from +1 650 555 0199 to Avery Quinn (100): My order has not arrived',
    ],
    ['/voicemail', { type: 'VoiceMail', from: { name: 'Kim' } }, 'Voicemail from Kim to Avery Quinn (100)'],
    [
      '/fax?direction=Inbound',
      { type: 'Fax', from: { phoneNumber: '+4912' }, faxPageCount: 1 },
      'Fax from +4912 to Avery Quinn (100), 1 page',
    ],
  ])('%s has the whole message', (tail, body, text) => {
    expect(textOf(`${account}/extension/8${tail}`, body)).toBe(text);
  });
});

describe('the sentence of any other event', () => {
  it.each([
    [
      `${extension}/presence/dnd`,
      { extensionId: '7', dndStatus: 'DoNotAcceptAnyCalls' },
      'Dana Okafor (102) does not take calls',
    ],
    [`${extension}/presence/dnd`, { extensionId: '7' }, 'Dana Okafor (102) changed which calls they take'],
    [
      `${account}/call-queues/9/presence`,
      { member: { id: 7 }, acceptCurrentQueueCalls: false },
      'Dana Okafor (102) does not take calls from Support (201)',
    ],
    [
      `${account}/call-queues/66/presence`,
      { member: { id: '7' }, acceptCurrentQueueCalls: true },
      'Dana Okafor (102) takes calls from queue 66',
    ],
    [
      `${account}/call-queues/9/presence`,
      { member: 'odd' },
      'An extension changed whether they take calls from Support (201)',
    ],
    [
      `${extension}/presence/line`,
      { extension: [{ id: '8' }], sequence: 1 },
      'The line of Avery Quinn (100) changed',
    ],
    [
      `${extension}/presence/line`,
      { extension: ['8', 9] },
      'The lines of Avery Quinn (100) and Support (201) changed',
    ],
    [`${extension}/presence/line`, { extension: { id: 8 } }, 'The line of Avery Quinn (100) changed'],
    [`${extension}/presence/line`, { sequence: 1 }, 'A line that Dana Okafor (102) monitors changed'],
    [`${account}/presence`, { extensionId: '8', presenceStatus: 'Offline' }, 'Avery Quinn (100) is offline'],
    [
      `${account}/extension`,
      { extensions: [{ extensionId: 9, eventType: 'Update', hints: ['CallQueueMembersChange'] }] },
      'The members of Support (201) changed',
    ],
    [
      `${account}/extension`,
      { extensions: [{ extensionId: 70, eventType: 'Create' }] },
      'Extension 70 was created',
    ],
    [
      `${account}/extension`,
      {
        extensions: [
          { extensionId: '7', eventType: 'Update', hints: ['Limits', 'ProfileImage', 'New'] },
          { extensionId: '8' },
        ],
      },
      'Dana Okafor (102) was changed (limits, profile image and New), and 1 more',
    ],
    [extension, { extensionId: '7', eventType: 'Delete' }, 'Dana Okafor (102) was deleted'],
    [extension, { hints: 'odd' }, 'Dana Okafor (102) was changed'],
    [
      '/restapi/v1.0/subscription/~?threshold=120&interval=60',
      { expiresIn: 120 },
      'The subscription expires in 120 seconds',
    ],
    ['/restapi/v1.0/subscription/~?threshold=120&interval=60', undefined, 'The subscription expires soon'],
    [`${extension}/presence`, undefined, 'Presence of Dana Okafor (102) changed; the event has no details'],
    [`${extension}/message-store`, {}, 'Messages of Dana Okafor (102) changed; the event has no details'],
    ['encrypted', undefined, 'Encrypted event with an unknown key'],
    ['/something/new', { x: 1 }, 'Event /something/new'],
  ])('%s %j is "%s"', (path, body, text) => {
    expect(textOf(path, body)).toBe(text);
  });
});

describe('the line of an event', () => {
  const store = `${account}/extension/8/message-store`;
  const linesOf = (messages: readonly unknown[], columns?: number): readonly string[] => {
    const describer = new EventDescriber(names);
    const body = { changes: [{ type: 'SMS', newCount: 1 }] };
    const lines = notificationView(describer).line?.(
      describer.describe(event(store, body), messages),
      undefined,
      columns,
    );
    const [heading, ...rest] = [lines ?? []].flat();
    expect(heading).toBe('Monday, 5 January 2026 (UTC)');
    return rest;
  };
  const line = (messages: readonly unknown[]): string => linesOf(messages).join('\n');

  it('wraps the text, and never cuts the names', () => {
    expect(line([sms])).toBe(
      '09:00:00  SMS from +1 650 555 0199 to Avery Quinn (100): My order has not arrived',
    );
    expect(linesOf([sms], 76)).toEqual([
      '09:00:00  SMS from +1 650 555 0199 to Avery Quinn (100): My order has not',
      '          arrived',
    ]);
    expect(linesOf([sms], 40)).toEqual([
      '09:00:00  SMS from +1 650 555 0199 to',
      '  Avery Quinn (100): My order has not',
      '  arrived',
    ]);
  });

  it('follows the date before the first line and after each change of the day', () => {
    const describer = new EventDescriber(names);
    const { line: lineAt } = notificationView(describer);
    const shown = (timestamp: string) => {
      const described = describer.describe({ ...event(`${account}/extension/8/presence`, {}), timestamp });
      return [lineAt?.(described, undefined) ?? []].flat().map((text) => text.slice(0, 32).split('  ', 1)[0]);
    };
    expect(shown('2026-01-05T09:00:00Z')).toEqual(['Monday, 5 January 2026 (UTC)', '09:00:00']);
    expect(shown('2026-01-05T23:59:59Z')).toEqual(['23:59:59']);
    expect(shown('')).toEqual(['--:--:--']);
    expect(shown('2026-01-06T00:00:00Z')).toEqual(['Tuesday, 6 January 2026', '00:00:00']);
    const other = notificationView(describer).line;
    const described = describer.describe(event(`${account}/extension/8/presence`, {}));
    expect([other?.(described, 'Europe/Berlin') ?? []].flat()[0]).toBe(
      'Monday, 5 January 2026 (Europe/Berlin)',
    );
  });

  it('cuts the text after three lines', () => {
    const subject = 'one two three four five six seven eight nine ten '.repeat(6);
    const lines = linesOf([{ ...sms, subject }], 80);
    expect(lines).toHaveLength(3);
    expect(lines.every((one) => one.length <= 80)).toBe(true);
    expect(lines.at(-1)).toMatch(/^ {10}\S.*…$/);
    // The names need two lines, so the text ends on the fourth.
    const narrow = linesOf([{ ...sms, subject }], 40);
    expect(narrow).toHaveLength(4);
    expect(narrow[1]).toMatch(/^ {2}Avery Quinn \(100\): one/);
  });

  it('shows control characters of a text, and measures wide characters', () => {
    expect(line([{ ...sms, subject: '\u001B[2J\u202Eowned\nnow' }])).toContain(': ␛[2J<U+202E>owned⏎now');
    const wide = linesOf([{ ...sms, subject: '王小明'.repeat(60) }], 76);
    expect(wide).toHaveLength(3);
    // Each character has two columns.
    expect(wide[1]).toBe(`          ${'王小明'.repeat(11)}`);
    expect(wide[2]).toMatch(/^ {10}(?:王|小|明)+…$/);
  });
});
