import type { Browser } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { signInAs, userOf } from '../support/sandbox.ts';
import { accessProblems, shoot } from './page.ts';
import { openProfile, type ProfileConsole } from './profile.ts';

const outside = '+14155550142';

describe.skipIf(chromiumMissing() !== undefined)('the Service view of a profile in Chromium', () => {
  const chromium = useChromium();

  it('shows checks, session, rate limits, permissions and journals', async () => {
    const profile = await openProfile(chromium.browser, { sandbox: { rateLimits: 'realistic' } });
    await profile.ucctl(['sms', 'send', '--to', outside, 'hello', '--yes']);
    await profile.ucctl(['queue', 'assign', '--queue', '201', '--add', '107', '--yes']);
    const page = await profile.open({ place: '#/service' });
    await page.getByRole('region', { name: 'Checks' }).getByText('base-url').waitFor();
    await page.getByRole('region', { name: 'Checks' }).getByText('fail', { exact: true }).first().waitFor();
    await page.getByRole('region', { name: 'Sends' }).getByText('sms to +1********42').waitFor();
    await page.getByRole('region', { name: 'Runs' }).getByText('1 done').waitFor();
    await page
      .getByRole('region', { name: 'Profile and session' })
      .getByText(profile.sandbox.url)
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Permissions' }).getByText('unknown').waitFor();
    const limits = page.getByRole('region', { name: 'Rate limits' });
    await limits.getByText('10 requests per minute').waitFor();
    // A group with few requests left shows how many are left, as `ucctl status` does.
    await profile.ucctl(['calllog', 'list']);
    await limits.getByText(/^\d left until/).waitFor();
    const { rateLimits } = (await profile.ucctl(['status'])) as {
      rateLimits: { group: string; left?: number }[];
    };
    expect(rateLimits.map(({ group, left }) => [group, left !== undefined])).toEqual([
      ['Light', expect.any(Boolean)],
      ['Medium', expect.any(Boolean)],
      ['Heavy', true],
      ['Auth', false],
    ]);
    await shoot(page, 'console-service');
    expect(profile.problems.filter((text) => !text.includes('422'))).toEqual([]);
  });

  it('offers to undo only the runs of its service', async () => {
    const other = await startSandbox();
    onTestFinished(() => other.close());
    const profile = await openProfile(chromium.browser);
    const assign = ['queue', 'assign', '--queue', '201', '--add', '107', '--yes'];
    await profile.ucctl(assign);
    const env = { UCCTL_BASE_URL: other.url, UCCTL_TOKEN: await signInAs(other, '100') };
    const { exit } = await profile.run(assign, { env });
    expect(exit).toBe(0);
    const page = await profile.open({ place: '#/service' });
    const runs = page.getByRole('region', { name: 'Runs' }).getByRole('listitem');
    await runs.nth(1).waitFor();
    expect(await page.getByText('Newest 50').count()).toBe(0);
    const undo = { name: /^Undo run/ };
    const here = runs.filter({ hasNotText: other.url });
    expect([await here.count(), await here.getByRole('button', undo).count()]).toEqual([1, 1]);
    const elsewhere = runs.filter({ hasText: `1 done, 0 failed · ${other.url}` });
    expect([await elsewhere.count(), await elsewhere.getByRole('button', undo).count()]).toEqual([1, 0]);
    await page.route('**/api/runs', async (route) => {
      const response = await route.fetch();
      const [run] = (await response.json()) as [object];
      const json = Array.from({ length: 51 }, (_, index) => ({ ...run, id: String(index) }));
      await route.fulfill({ response, json });
    });
    await page.getByText('Newest 50 of 51 runs.').waitFor();
    onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
  });

  it('says where lists of the profile end', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open();
    let count = 0;
    const many = <T>(make: (index: number) => T): readonly T[] =>
      Array.from({ length: count }, (_, index) => make(index));
    const time = '2026-01-05T10:00:00.000Z';
    const message = {
      type: 'SMS',
      direction: 'Inbound',
      time,
      attachments: [],
      from: '+14155550142',
      text: 'Hi',
    };
    const counts = { calls: 1, inbound: 1, outbound: 0, answered: 1 };
    const replies: Readonly<Record<string, () => unknown>> = {
      outcomes: () => many((id) => ({ id, kind: 'sms', state: 'sent', to: '+14155550142', startedAt: time })),
      events: () => ({
        lines: many((id) => ({ id, receivedAt: time, event: 'messages', description: 'One event' })),
        last: 0,
      }),
      'conversations/100/1': () => ({
        ...message,
        title: 'A',
        key: '1',
        messages: many((id) => ({ ...message, id })),
        hasOlder: count > 50,
      }),
      calls: () => ({
        notes: [],
        stats: {
          zone: 'UTC',
          serviceLevelSeconds: 20,
          totals: counts,
          byHour: [],
          byDay: [],
          byQueue: [],
          byResult: [],
          byAgent: many((id) => ({ ...counts, id: String(id), name: `Agent ${id}` })),
        },
      }),
    };
    await page.route(/\/api\/(outcomes|events|conversations\/100\/1|calls)(\?|$)/, (one) => {
      const { pathname, searchParams } = new URL(one.request().url());
      // No further event arrives.
      if (searchParams.has('after')) return undefined;
      return one.fulfill({ json: replies[pathname.slice('/api/'.length)]?.() });
    });
    /** Opens a view with a list of `items` items, and waits for its note. A list that has all items has no note. */
    const expectNote = async (
      place: string,
      items: number,
      item: string,
      note: string,
      isShown: boolean,
    ): Promise<void> => {
      count = items;
      await page.evaluate("location.hash = '#/board'");
      await page.getByRole('heading', { level: 1, name: 'Board' }).waitFor();
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      await page.locator('main').getByText(item).first().waitFor();
      expect([place, await page.getByText(note).count()]).toEqual([place, isShown ? 1 : 0]);
    };
    for (const [place, all, others, item, note] of [
      ['#/service', 50, 51, 'sms to', 'Newest 50 of 51 sends. ucctl outcome list shows all.'],
      ['#/live', 99, 100, 'One event', 'Newest 100 events. Search to find others.'],
      ['#/messages/100/1', 50, 51, 'Hi', 'Newest 51 messages. ucctl sync export writes all messages.'],
      ['#/calls', 20, 21, 'Agent 0', 'By agent, 20 of 21'],
    ] as const) {
      await expectNote(place, all, item, note, false);
      await expectNote(place, others, item, note, true);
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('reads again if the browser ends a request, but repeats no change', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open();
    const requests: string[] = [];
    await page.route(/\/api\/(doctor|queues\/.*\/plan)$/, (route, request) => {
      const line = `${request.method()} ${new URL(request.url()).pathname}`;
      requests.push(line);
      return requests.filter((other) => other === line).length === 1
        ? route.abort('connectionreset')
        : route.continue();
    });
    await page.evaluate(`location.hash = '#/service'`);
    await page.getByRole('region', { name: 'Checks' }).getByText('base-url').waitFor();
    await page.evaluate(`location.hash = '#/queues/171857201'`);
    await page
      .getByRole('button', { name: /^Remove / })
      .first()
      .click();
    await page.getByRole('button', { name: 'Show the changes…' }).click();
    await page.getByText('ucctl does not reply').waitFor();
    expect(requests).toEqual(['GET /api/doctor', 'GET /api/doctor', 'POST /api/queues/171857201/plan']);
  });

  it('lists the granted permissions of a browser sign-in, wide and 400 pixels wide', async () => {
    const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
    const profile = await openProfile(chromium.browser, {
      sandbox: { redirectUris: [redirectUri] },
      env: { UCCTL_TOKEN: undefined, UCCTL_STORE: 'file' },
    });
    await signIn(chromium.browser, profile, redirectUri);
    const { permissions } = (await profile.ucctl(['status'])) as { permissions: string[] };
    expect(permissions).toContain('ReadAccounts');
    for (const width of [1280, 400]) {
      const page = await profile.open({ place: '#/service', size: { width, height: 800 } });
      const list = page.getByRole('list', { name: 'Granted permissions' });
      await list.getByText('ReadAccounts', { exact: true }).waitFor();
      expect(await list.getByRole('listitem').allTextContents()).toEqual(permissions);
      expect(await accessProblems(page)).toEqual([]);
      await list.scrollIntoViewIfNeeded();
      await shoot(page, `console-permissions-${width}`);
    }
    expect(profile.problems.filter((text) => !text.includes('422'))).toEqual([]);
  });
});

/** Signs in as the administrator on the sign-in page, so that the session has the granted permissions. */
async function signIn(
  browser: Browser,
  { run, sandbox }: ProfileConsole,
  redirectUri: string,
): Promise<void> {
  const { username, extension, password } = userOf(sandbox, '100');
  const page = await browser.newPage();
  const env = {
    UCCTL_BASE_URL: sandbox.url,
    UCCTL_CLIENT_ID: sandbox.ready.clientId,
    UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
    UCCTL_REDIRECT_URIS: redirectUri,
    UCCTL_STORE: 'file',
  };
  const openUrl = async (url: string): Promise<boolean> => {
    await page.goto(url);
    await page.fill('#username', username);
    await page.fill('#extension', extension);
    await page.fill('#password', password);
    await page.click('button[type=submit]');
    await page.click('button[value=allow]');
    await page.waitForURL('**/done');
    return true;
  };
  const { exit, stderr } = await run('login', { env, openUrl });
  await page.close();
  expect([exit, exit === 0 ? '' : stderr]).toEqual([0, '']);
}
