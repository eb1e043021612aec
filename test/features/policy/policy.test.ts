import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actionOf, createGuard, violationOf, type Policy } from '../../../src/features/policy/index.ts';
import { unknownMachineZone } from '../../../src/platform/machine-zone.ts';
import { inQuietHours, readQuietHours } from '../../../src/platform/quiet-hours.ts';
import type { Call } from '../../../src/client/index.ts';

const open: Policy = { allow: [], forbid: [], quietHours: undefined, maxPerHour: undefined, readOnly: false };
const noon = Date.UTC(2026, 0, 5, 12);
const around = { now: noon, sentLastHour: 0 };
const text = (...numbers: readonly string[]) => ({ kind: 'sms', numbers }) as const;

describe('a policy', () => {
  it('permits everything without rules', () => {
    expect(violationOf(open, text('+16505550112'), around)).toBeUndefined();
    expect(violationOf(open, { kind: 'write', numbers: [] }, around)).toBeUndefined();
  });

  it('applies allowed and forbidden prefixes, the latter first', () => {
    const policy = { ...open, allow: ['+1650', '+49'], forbid: ['+1650555019'] };
    expect(violationOf(policy, text('+16505550112'), around)).toBeUndefined();
    expect(violationOf(policy, text('+4930123456'), around)).toBeUndefined();
    expect(violationOf(policy, text('+16505550190'), around)).toContain('+1650555019 are forbidden');
    expect(violationOf(policy, text('+4930123456', '+12025550101'), around)).toContain(
      'only numbers with the prefixes +1650, +49',
    );
    expect(violationOf(policy, text('+1 (650) 555-0190'), around)).toContain('forbidden');
    expect(violationOf(policy, text('6505550112'), around)).toContain('not a valid E.164 number');
    expect(violationOf(policy, { ...text(), isUnreadable: true }, around)).toContain(
      'cannot read the phone numbers',
    );
    expect(violationOf(policy, text('+16505550112555555'), around)).toContain('not a valid E.164 number');
    expect(violationOf(policy, { kind: 'pager', numbers: [], isUnreadable: true }, around)).toBeUndefined();
  });

  it.each(['+442079460958', '+4402079460958', '+44 (0)20 7946 0958', '+44002079460958'])(
    'applies the rules for numbers to %s without its trunk prefix',
    async (number) => {
      const parts = { dryRun: false, now: () => noon, sentSince: () => Promise.resolve(0) };
      const forbids = createGuard({ ...parts, policy: { ...open, forbid: ['+4420'] } });
      await expect(forbids.check(text(number))).rejects.toThrow('+4420 are forbidden: +442079460958');
      const allows = createGuard({ ...parts, policy: { ...open, allow: ['+4420'] } });
      expect(await allows.violation(text(number))).toBeUndefined();
    },
  );

  it('applies quiet hours past midnight and in a time zone', () => {
    const quiet = readQuietHours('22:00-07:00 Europe/Berlin');
    const at = (hour: number, minute = 0): boolean => inQuietHours(quiet, Date.UTC(2026, 0, 5, hour, minute));
    expect([at(20, 59), at(21), at(2), at(5, 59), at(6)]).toEqual([false, true, true, true, false]);
    const policy = { ...open, quietHours: quiet };
    expect(violationOf(policy, { ...text('+16505550112'), at: Date.UTC(2026, 0, 5, 23) }, around)).toContain(
      'quiet hours',
    );
    expect(
      violationOf(policy, { kind: 'write', numbers: [] }, { ...around, now: Date.UTC(2026, 0, 5, 23) }),
    ).toBeUndefined();
  });

  it('spec:FAX-7 applies quiet hours now to a fax whose time has passed', async () => {
    const policy = { ...open, quietHours: readQuietHours('11:00-13:00 UTC') };
    const guard = createGuard({
      policy,
      dryRun: false,
      now: () => noon,
      sentSince: () => Promise.resolve(0),
    });
    const fax = { kind: 'fax', numbers: ['+16505550112'] } as const;
    await expect(guard.check({ ...fax, at: noon - 7_200_000 })).rejects.toThrow(
      'quiet hours: 11:00-13:00 UTC',
    );
    await expect(guard.check({ ...fax, at: noon + 7_200_000 })).resolves.toBeUndefined();
    // A question about a time is about this time.
    expect(await guard.violation({ ...fax, at: noon - 7_200_000 })).toBeUndefined();
  });

  it('blocks a fax by quiet hours if its time cannot be read', () => {
    const fax = { kind: 'fax', numbers: ['+16505550112'], isTimeUnreadable: true } as const;
    const policy = { ...open, quietHours: readQuietHours('22:00-07:00 UTC') };
    expect(violationOf(policy, fax, around)).toContain('cannot read the delivery time');
    expect(violationOf(open, fax, around)).toBeUndefined();
  });

  it.each([
    ['EST5EDT,M3.2.0,M11.1.0', { zone: 'UTC', hasOffset: false }],
    ['<-03>3', { zone: 'UTC', hasOffset: false }],
    ['Europe/Nowhere', { zone: undefined, hasOffset: false }],
    ['Europe/Nowhere', { zone: 'Etc/Unknown', hasOffset: false }],
  ])('blocks messages by quiet hours without a zone if TZ=%s is unknown', (tz, used) => {
    const unknownZone = unknownMachineZone(tz, used);
    const policy = { ...open, unknownZone };
    const inMachineZone = readQuietHours('22:00-07:00');
    expect(violationOf({ ...policy, quietHours: inMachineZone }, text('+16505550112'), around)).toContain(
      `in an unknown time zone (TZ=${tz})`,
    );
    const inOwnZone = readQuietHours('22:00-07:00 Europe/Berlin');
    expect(violationOf({ ...policy, quietHours: inOwnZone }, text('+16505550112'), around)).toBeUndefined();
    expect(violationOf(policy, text('+16505550112'), around)).toBeUndefined();
  });

  it.each([
    [undefined, { zone: 'UTC', hasOffset: false }],
    ['', { zone: 'Etc/Unknown', hasOffset: false }],
    ['UTC0', { zone: undefined, hasOffset: false }],
    [':/etc/localtime', { zone: undefined, hasOffset: false }],
    ['JST-9', { zone: undefined, hasOffset: true }],
    ['Africa/Abidjan', { zone: 'Africa/Abidjan', hasOffset: false }],
    ['Etc/UTC', { zone: 'UTC', hasOffset: false }],
  ])('applies quiet hours in the zone of the machine with TZ=%s', (tz, used) => {
    expect(unknownMachineZone(tz, used)).toBeUndefined();
  });

  it.each(['22-7', '22:00', '25:00-07:00', '07:00-07:00', '22:00-07:00 Nowhere/Land', '22:00-24:30'])(
    'rejects quiet hours %j',
    (words) => {
      expect(() => readQuietHours(words)).toThrow(RangeError);
    },
  );

  it('limits messages per hour, and blocks every change of a read-only profile', () => {
    const policy = { ...open, maxPerHour: 3 };
    expect(violationOf(policy, text('+16505550112'), { ...around, sentLastHour: 2 })).toBeUndefined();
    expect(violationOf(policy, text('+16505550112'), { ...around, sentLastHour: 3 })).toContain(
      'the limit is 3',
    );
    expect(violationOf(policy, { ...text('+16505550112'), count: 4 }, around)).toContain('4 more');
    expect(violationOf({ ...open, readOnly: true }, { kind: 'write', numbers: [] }, around)).toBe(
      'the profile is read-only',
    );
  });

  it('blocks a request whose recipients cannot be counted only if the messages per hour are limited', () => {
    const uncounted = { ...text(), isUncounted: true };
    expect(violationOf({ ...open, maxPerHour: 3 }, uncounted, around)).toContain(
      'cannot count the recipients',
    );
    expect(violationOf(open, uncounted, around)).toBeUndefined();
  });

  it('counts the messages of the last hour', async () => {
    const sentSince = (time: number) => Promise.resolve(time === noon - 3_600_000 ? 3 : 0);
    const policy = { ...open, maxPerHour: 3 };
    const guard = createGuard({ policy, dryRun: false, now: () => noon, sentSince });
    await expect(guard.check(text('+16505550112'))).rejects.toThrow('3 were sent in the last hour');
  });

  it('property: a number is permitted exactly if an allowed and no forbidden prefix matches', () => {
    const number = fc.stringMatching(/^\+[1-9]\d{6,14}$/);
    const prefix = fc.stringMatching(/^\+[1-9]\d{0,5}$/);
    // The next test covers forbidden prefixes with a 0 that may be a trunk prefix.
    const withoutTrunk = prefix.filter((one) => !/^\+\d{1,3}0/.test(one));
    fc.assert(
      fc.property(number, fc.array(prefix), fc.array(withoutTrunk), (one, allow, forbid) => {
        const fits = (prefixes: readonly string[]): boolean =>
          prefixes.some((begin) => one.startsWith(begin));
        const isAllowed = !fits(forbid) && (allow.length === 0 || fits(allow));
        expect(violationOf({ ...open, allow, forbid }, text(one), around) === undefined).toBe(isAllowed);
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it.each([
    ['+4409', '+449061234567', true],
    ['+44009', '+449061234567', true],
    ['+4409', '+4409061234567', true],
    ['+4409', '+442079460958', false],
    ['+440', '+442079460958', false],
    ['+3906', '+390612345678', true],
    ['+3906', '+393331234567', false],
    ['+39035', '+390351234567', true],
    ['+39035', '+393512345678', false],
    ['+390', '+390612345678', true],
    ['+390', '+393331234567', false],
  ])('forbids with the prefix %s the number %s: %s', async (forbidden, number, isForbidden) => {
    const policy = { ...open, forbid: [forbidden] };
    const guard = createGuard({
      policy,
      dryRun: false,
      now: () => noon,
      sentSince: () => Promise.resolve(0),
    });
    expect((await guard.violation(text(number))) !== undefined).toBe(isForbidden);
  });
});

describe('the classification of a request', () => {
  const root = '/restapi/v1.0/account/~/extension/~';
  const body = { to: [{ phoneNumber: '+16505550112' }], from: { phoneNumber: '+16505550110' } };
  const post = (path: string, more: Partial<Call> = {}): Call => ({ method: 'POST', path, body, ...more });

  it.each([
    ['/sms', 'sms'],
    ['/sms/', 'sms'],
    ['//SMS', 'sms'],
    ['/%73ms', 'sms'],
    ['/mms', 'sms'],
    ['/fax', 'fax'],
    ['/ringout', 'ringout'],
    ['/ring-out', 'ringout'],
    ['/company-pager', 'pager'],
    ['/message-store/1', 'write'],
  ])('POST %s is %s', (path, kind) => {
    expect(actionOf(post(root + path))?.kind).toBe(kind);
  });

  it.each<[string, Partial<Call>, object]>([
    ['without its recipients', {}, { kind: 'fax', numbers: [], isUnreadable: true, isUncounted: true }],
    ['with recipients', { faxTo: ['+16505550112', '+16505550113'] }, { kind: 'fax', count: 2 }],
    ['of other messages', { faxTo: [] }, { kind: 'write', numbers: [] }],
    ['with the method DELETE', { method: 'DELETE' }, { kind: 'write', numbers: [] }],
  ])('a restored fax is sent: %s', (_, more, expected) => {
    const restore: Partial<Call> = { method: 'PUT', body: { availability: 'Alive' }, ...more };
    expect(actionOf(post(`${root}/message-store/1`, restore))).toMatchObject(expected);
  });

  it.each([
    ['2026-01-06T03:00:00Z', { at: Date.UTC(2026, 0, 6, 3) }],
    ['2026-01-06T03:00+02:00', { at: Date.UTC(2026, 0, 6, 1) }],
    ['2026-01-06T03:00:00', { isTimeUnreadable: true }],
    ['2026-02-30T03:00:00Z', { isTimeUnreadable: true }],
    ['tomorrow', { isTimeUnreadable: true }],
    [1_767_668_400_000, { isTimeUnreadable: true }],
  ])('reads the delivery time of a fax from sendTime %j', (sendTime, expected) => {
    expect(actionOf(post(`${root}/fax`, { body: { ...body, sendTime } }))).toMatchObject(expected);
  });

  it('spec:FAX-2 reads a delivery time only in requests for a fax', () => {
    const timed = { ...body, sendTime: '2026-01-06T03:00:00Z' };
    for (const path of ['/sms', '/ring-out', '/company-pager'])
      expect(actionOf(post(root + path, { body: timed }))?.at).toBeUndefined();
  });

  it.each([
    '{"to":[{"phoneNumber":"+16505550112"}],"sendTime":"2026-01-06T03:00Z","sendTime":"2026-01-06T12:00Z"}',
    'a page',
  ])('does not know the delivery time of a fax with the body %j', (text) => {
    expect(actionOf(post(`${root}/fax`, { body: text }))).toMatchObject({ isTimeUnreadable: true });
  });

  it('reads the numbers from objects, text, bytes and streams, and reports unreadable ones', () => {
    const json = JSON.stringify(body);
    const stream = { size: 1, summary: body, open: () => [] };
    for (const form of [body, json, Buffer.from(json), stream]) {
      expect(actionOf(post(`${root}/sms`, { body: form }))).toMatchObject({
        numbers: ['+16505550112'],
        isUnreadable: false,
      });
    }
    for (const form of [
      undefined,
      'x',
      Buffer.from([1]),
      {},
      { to: [] },
      { to: [{ phoneNumber: '+16505550112' }, {}] },
    ]) {
      expect(actionOf(post(`${root}/sms`, { body: form }))).toMatchObject({ isUnreadable: true });
    }
    expect(
      actionOf(post(`${root}/ringout`, { body: { to: body.to[0], from: body.from } }))?.numbers,
    ).toHaveLength(2);
  });

  it.each(['transfer', 'TRANSFER/', 'forward', '%74ransfer'])(
    'POST %s of a call is a call to the number it names',
    async (verb) => {
      const path = `/restapi/v1.0/account/~/telephony/sessions/s-1/parties/p-1/${verb}`;
      const transfer = (form: unknown) => actionOf({ method: 'POST', path, body: form });
      const number = { phoneNumber: '+16505550112' };
      for (const form of [number, JSON.stringify(number), Buffer.from(JSON.stringify(number))]) {
        expect(transfer(form)).toMatchObject({ kind: 'ringout', numbers: ['+16505550112'], count: 1 });
      }
      // To an extension, to voicemail or to another session, no number is called.
      for (const form of [{ extensionNumber: '102' }, { voicemail: '102' }, { sessionId: 's-2' }]) {
        expect(transfer(form)).toMatchObject({ kind: 'ringout', numbers: [], isUnreadable: false });
      }
      const twice = '{"phoneNumber":"+19005550112","phoneNumber":"+16505550112"}';
      for (const form of [undefined, 'x', twice, { phoneNumber: 5 }, { phoneNumber: ['+16505550112'] }]) {
        expect(transfer(form)).toMatchObject({ isUnreadable: true });
      }
      const action = transfer(number);
      const policy = { ...open, forbid: ['+1650'] };
      expect(action && violationOf(policy, action, around)).toContain('+1650 are forbidden');
    },
  );

  it('a post to a chat is a text only if it names phone numbers', () => {
    const path = '/restapi/v1.0/glip/groups/7/posts';
    expect(actionOf(post(path, { body: { text: 'x' } }))?.kind).toBe('write');
    expect(actionOf(post(path, { body: { text: 'x', to: '+16505550112' } }))).toMatchObject({
      kind: 'sms',
      numbers: ['+16505550112'],
    });
  });

  it('recognizes reads, method overrides and logouts', () => {
    expect(actionOf({ method: 'GET', path: `${root}/sms` })).toBeUndefined();
    expect(actionOf({ method: 'GET', path: `${root}/sms`, query: { _method: 'POST' } })?.kind).toBe('sms');
    expect(actionOf({ method: 'DELETE', path: `${root}/ringout/1` })?.kind).toBe('write');
  });
});
