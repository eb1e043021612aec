import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shareBudgets } from '../../src/client/budget-share.ts';
import { RateBudget, type GroupBudget, type SharedBudget } from '../../src/client/rate-budget.ts';
import { openSharedBudget } from '../../src/client/shared-budget.ts';
import { fakeReply } from '../support/fake-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

const start = 1_800_000_000_000;
const [method, path] = ['GET', '/restapi/v1.0/account/~/extension/~/presence'] as const;

/** A reply of a service that permits 10 requests per window. */
const reply = (remaining: number, { group = 'light', window = 60 } = {}) =>
  fakeReply({
    status: 200,
    headers: {
      'x-rate-limit-group': group,
      'x-rate-limit-limit': '10',
      'x-rate-limit-remaining': String(remaining),
      'x-rate-limit-window': String(window),
    },
  });

describe('the budget of a usage group', () => {
  it('counts requests in flight, before and after a reply', async () => {
    const budget = new RateBudget();
    await budget.take('light', start);
    await budget.learn('light', method, path, reply(2), start);
    const takes = async () => [await budget.take('light', start), await budget.take('light', start)];
    expect(await takes()).toEqual([0, 0]);
    expect(await budget.take('light', start)).toBe(60_050);
    // The service may have sent this reply before it counted the other request.
    await budget.learn('light', method, path, reply(1), start);
    expect(await budget.take('light', start)).toBe(60_050);
  });

  it('belongs to the group that the reply names', async () => {
    const budget = new RateBudget();
    await budget.take('light', start);
    await budget.learn('light', method, path, reply(0, { group: 'Heavy' }), start);
    expect(budget.groupOf(method, path)).toBe('heavy');
    expect([await budget.take('light', start), await budget.take('heavy', start)]).toEqual([0, 60_050]);
  });

  it('begins again when more requests are left than before', async () => {
    const budget = new RateBudget();
    for (const [seconds, left] of [
      [0, 1],
      [10, 0],
      [30, 9],
      [40, 0],
    ] as const)
      await budget.learn('light', method, path, reply(left), start + seconds * 1000);
    expect(await budget.take('light', start + 40_000)).toBe(50_050);
  });

  it('is assumed only until a reply names it', async () => {
    const budget = new RateBudget();
    expect(await budget.take('auth', start, 2)).toBe(0);
    await budget.learn('auth', 'POST', '/restapi/oauth/wstoken', reply(3, { group: 'Auth' }), start + 1000);
    await budget.learn('auth', 'POST', '/restapi/oauth/wstoken', reply(2, { group: 'Auth' }), start + 21_000);
    expect(await budget.take('auth', start + 21_000, 2)).toBe(40_050);
  });

  it('is assumed again when its window has ended', async () => {
    const budget = new RateBudget();
    for (let count = 0; count < 3; count += 1) expect(await budget.take('auth', start, 2)).toBe(0);
    expect(await budget.take('auth', start, 2)).toBe(62_550);
    const later = start + 62_550;
    for (let count = 0; count < 3; count += 1) expect(await budget.take('auth', later, 2)).toBe(0);
    expect(await budget.take('auth', later, 2)).toBe(62_550);
  });

  it('does not delay requests for a window of an hour', async () => {
    const budget = new RateBudget();
    await budget.learn('light', method, path, reply(0, { window: 3600 }), start);
    expect(await budget.take('light', start)).toBe(0);
  });

  it('is blocked until the end of the longest penalty', async () => {
    const budget = new RateBudget();
    await budget.block('light', 60_000, start);
    await budget.block('light', 1000, start);
    expect(await budget.take('light', start)).toBe(60_050);
  });

  it('is blocked by the new time if the clock is set back before a 429', async () => {
    const budget = new RateBudget();
    await budget.block('light', 60_000, start + 300_000);
    await budget.block('light', 1000, start);
    expect(await budget.take('light', start)).toBe(1050);
  });

  it('gives back to other processes only a request that they counted', async () => {
    const calls: string[] = [];
    const shared: Pick<SharedBudget, 'take' | 'giveBack'> = {
      take: () => ({ wait: 0, isTaken: calls.push('take') > 1 }),
      giveBack: () => void calls.push('giveBack'),
    };
    const open = () => Promise.resolve(shared as SharedBudget);
    const budget = new RateBudget({ hasEntries: () => true, open });
    for (let count = 0; count < 2; count += 1) {
      await budget.take('light', start);
      await budget.giveBack('light', start);
    }
    expect(calls).toEqual(['take', 'take', 'giveBack']);
  });
});

describe('the budgets of the processes of one user', () => {
  const own: GroupBudget = { left: 5, resetsAt: start + 60_000, blockedUntil: 0 };
  const openBudget = (folder = temporaryFolder(), owner = 'user'): SharedBudget => {
    const budget = openSharedBudget(folder, owner);
    onTestFinished(() => budget.close());
    return budget;
  };

  it('does not announce its end through a link', () => {
    const folder = temporaryFolder();
    const [target, link] = [join(folder, 'target'), join(folder, 'rate-limits.near')];
    symlinkSync(target, link);
    const unsafe = { name: 'UnsafePathError', path: link, fault: { kind: 'link' } };
    const open = () => openSharedBudget(folder, 'app').update('light', own, false, start);
    expect(open).toThrow(expect.objectContaining(unsafe));
    expect(existsSync(target)).toBe(false);
  });

  it.each<[string, Partial<GroupBudget>, Partial<GroupBudget>, Partial<GroupBudget>]>([
    ['the smaller number of another process', { left: 3 }, { left: 5 }, { left: 3 }],
    ['its smaller number', { left: 5 }, { left: 3 }, { left: 3 }],
    ['the earlier end', { resetsAt: start + 9000 }, {}, { resetsAt: start + 9000 }],
    ['its earlier end', {}, { resetsAt: start + 9000 }, { resetsAt: start + 9000 }],
    ['the later penalty', { blockedUntil: start + 9000 }, {}, { blockedUntil: start + 9000 }],
    ['its later penalty', {}, { blockedUntil: start + 9000 }, { blockedUntil: start + 9000 }],
    ['its new window after the end of the stored one', { left: 1, resetsAt: start - 1 }, {}, own],
    ['the stored window after the end of its own', {}, { left: 1, resetsAt: start - 1 }, own],
    ['the stored window without a number of its own', {}, { left: undefined, resetsAt: 0 }, own],
  ])('get from a process: %s', (_, stored, update, merged) => {
    const budget = openBudget();
    budget.update('light', { ...own, ...stored }, false, start);
    budget.update('light', { ...own, ...update }, false, start);
    expect(budget.known(start)).toMatchObject([merged]);
  });

  it('count a request that was sent without them', () => {
    const budget = openBudget();
    budget.update('light', own, false, start);
    budget.update('light', own, true, start);
    expect(budget.known(start)).toMatchObject([{ left: 4 }]);
  });

  it('take nothing from a window that has ended, and wait for a penalty', () => {
    const budget = openBudget();
    budget.update('light', { ...own, resetsAt: start - 1 }, false, start);
    expect(budget.take('light', start)).toEqual({ wait: 0, isTaken: false });
    budget.update('auth', { left: undefined, resetsAt: 0, blockedUntil: start + 9000 }, false, start);
    expect(budget.take('auth', start, 2)).toEqual({ wait: 9050, isTaken: false });
  });

  it('are listed while they apply, each for its user', () => {
    const folder = temporaryFolder();
    const budget = openBudget(folder);
    budget.update('light', own, false, start);
    budget.update('heavy', { left: undefined, resetsAt: 0, blockedUntil: start + 9000 }, false, start);
    budget.update('auth', { ...own, resetsAt: start - 1 }, false, start);
    expect(budget.known(start).map(({ group }) => group)).toEqual(['heavy', 'light']);
    const other = openBudget(folder, 'other');
    expect(other.known(start)).toEqual([]);
    other.update('light', own, false, start);
    expect([budget.known(start), other.known(start)].map(({ length }) => length)).toEqual([2, 1]);
  });

  it('are known to a process whose clock was read a few seconds earlier', () => {
    const budget = openBudget();
    budget.update('light', own, false, start);
    expect(budget.known(start - 4000)).toHaveLength(1);
    expect(budget.known(start - 6000)).toEqual([]);
  });

  it('are looked up until the last of them ends', async () => {
    const folder = temporaryFolder();
    const share = shareBudgets(folder, () => Promise.resolve('user'));
    expect(share.hasEntries(start)).toBe(false);
    const budget = await share.open();
    expect(await share.open()).toBe(budget);
    budget.update('light', own, false, start);
    budget.update('heavy', { ...own, resetsAt: start + 9000 }, false, start);
    expect([share.hasEntries(start + 59_000), share.hasEntries(start + 61_000)]).toEqual([true, false]);
    await share.close();
    expect(() => budget.known(start)).toThrow('database is not open');
    expect((await share.open()).known(start)).toHaveLength(2);
    await share.close();
  });

  it('are closed without an error if they could not be opened', async () => {
    const share = shareBudgets(temporaryFolder(), () => Promise.reject(new Error('no user')));
    await expect(share.open()).rejects.toThrow('no user');
    await share.close();
  });
});
