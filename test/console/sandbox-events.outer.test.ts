import { describe, expect, it } from 'vitest';
import { loseConnection, messages, socketUser } from '../sandbox/sockets/client.ts';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { accessProblems, openConsole, shoot, startProgram } from './page.ts';

const hostile = '</script><img src=x onerror=alert(1)><b>bold</b>';

describe.skipIf(chromiumMissing() !== undefined)('events and requests on the page of the sandbox', () => {
  const chromium = useChromium();

  it('shows events of a WebSocket as delivered, pending and recovered, and sends one again', async () => {
    const { open, ucctl, sandbox, problems } = await openConsole(chromium.browser, { dialect: 'current' });
    const page = await open('#/live');
    const user = await socketUser(sandbox);
    const socket = await user.connect();
    await socket.subscribe([messages]);
    await page.getByText('1 subscription: WebSocket of Dana Okafor (102)').waitFor();
    await user.text('one');
    const rows = page.getByRole('list', { name: 'Events' }).getByRole('link');
    await rows.filter({ hasText: 'Delivered' }).waitFor();
    await loseConnection(sandbox, socket);
    await user.text('two');
    await rows.filter({ hasText: 'Pending' }).waitFor();
    const again = await user.connect(socket.position);
    await again.expect('ServerNotification', 1);
    await rows.filter({ hasText: 'Recovered' }).click();
    const detail = page.getByRole('region', { name: 'Event', exact: true });
    await detail.getByText('WebSocket of Dana Okafor (102)').waitFor();
    await detail.getByRole('button', { name: 'Replay' }).click();
    await again.expect('ServerNotification', 2);
    await rows.nth(2).waitFor();
    await page.getByLabel('Delivery', { exact: true }).selectOption('Recovered');
    await page.getByText('1 event', { exact: true }).waitFor();
    const listed = (await ucctl(['sandbox', 'delivery', 'list'])) as { state: string; transport: string }[];
    expect(listed.map(({ state, transport }) => `${transport} ${state}`)).toEqual([
      'WebSocket delivered',
      'WebSocket recovered',
      'WebSocket delivered',
    ]);
    await shoot(page, 'live-socket');
    // The end of a session loses the events that were not sent.
    await page.getByLabel('Delivery', { exact: true }).selectOption('All');
    await loseConnection(sandbox, again);
    await user.text('three');
    await rows.filter({ hasText: 'Pending' }).waitFor();
    await sandbox.clock.advance(181_000);
    await rows.filter({ hasText: 'Lost' }).first().click();
    await detail.getByText('the subscription ended').waitFor();
    expect(await detail.getByRole('button', { name: 'Replay' }).isDisabled()).toBe(true);
    expect(problems).toEqual([]);
  });

  it('shows a request with its application, user and body after a click', async () => {
    const { open, ucctl, problems } = await openConsole(chromium.browser);
    const page = await open('#/service');
    await ucctl(['sms', 'send', '--to', '+14155550142', `is the lamp in stock ${hostile}`, '--yes'], '102');
    const row = page.getByRole('list', { name: 'Requests' }).getByRole('button').filter({ hasText: 'POST' });
    await row.filter({ hasText: '/sms' }).focus();
    await page.keyboard.press('Enter');
    const detail = page.getByRole('region', { name: 'Request', exact: true });
    await detail.getByText('is the lamp in stock </script><img').waitFor();
    expect(await page.locator('img, main b').count()).toBe(0);
    await detail.getByText('Dana Okafor (102)').waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await shoot(page, 'service-request');
    const log = (await ucctl(['sandbox', 'log'])) as { method: string; app?: string; user?: string }[];
    const sent = log.find(({ method, user }) => method === 'POST' && user !== undefined);
    expect(sent).toMatchObject({ user: 'Dana Okafor (102)', app: expect.any(String) as string });
    await detail.getByText(sent?.app ?? '').waitFor();
    await detail.getByRole('button', { name: 'Close' }).click();
    await detail.waitFor({ state: 'detached' });
    // The forms of the sign-in contain passwords.
    await page.getByLabel('Search requests').fill('oauth/token');
    await page.getByRole('list', { name: 'Requests' }).getByRole('button').first().click();
    await detail.getByText('No JSON body.').waitFor();
    await eventually(() => expect(problems).toEqual([]));
  });

  it('says that an address names no view or no item, also if the item is deleted while it is open', async () => {
    const { open, ucctl, sandbox } = await openConsole(chromium.browser);
    const { address } = await startProgram();
    await ucctl(['subscribe', 'create', '--events', 'messages', '--address', address]);
    await ucctl(['sandbox', 'trigger', 'sms', 'to=100', 'from=+14155550142', 'text=Hello']);
    const page = await open('#/messages/abc/x', { width: 400, height: 800 });
    const back = page.getByRole('link', { name: 'Back' });
    await page.getByText('Conversation not found').waitFor();
    await back.click();
    await page.getByText('1 conversation').waitFor();
    await page.evaluate("location.hash = '#/nonsense/1'");
    await page.getByText('The address #/nonsense/1 is not a view of this page.').waitFor();
    expect(await page.title()).toBe('Address not found · ucctl sandbox');
    expect(await page.locator('[aria-current]').count()).toBe(0);
    expect(await accessProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Live' }).click();
    await page.locator('a.row').click();
    await page.getByRole('heading', { name: 'message-store' }).waitFor();
    await sandbox.control('POST', '/reset', {});
    await page
      .getByRole('alert')
      .getByText(/event \d+ not found/)
      .waitFor();
    expect(await page.getByRole('heading', { name: 'message-store' }).count()).toBe(0);
    await back.click();
    await page.getByText('No events yet').waitFor();
  });

  it('reports which lists of the service it cannot read, and does not call them empty', async () => {
    const { open, sandbox } = await openConsole(chromium.browser);
    const page = await open('#/phones');
    const body = JSON.stringify({ error: { code: 'busy', message: 'the database is locked' } });
    await page.route(/\/v1\/(faults|requests|subscribers|snapshots)/, (one) =>
      one.fulfill({ status: 500, body }),
    );
    await page.getByRole('link', { name: 'Service' }).click();
    await eventually(async () => expect(await page.getByRole('alert').count()).toBe(4));
    expect(await page.getByText(/^No (faults|requests|snapshots|program)/).count()).toBe(0);
    await page.getByRole('link', { name: 'Live' }).click();
    await page.getByText('No event selected').waitFor();
    expect(await page.getByText(/No program has subscribed|Subscribe a webhook/).count()).toBe(0);
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Service' }).click();
    await page.getByText('No faults.').waitFor();
    // A request that gets no reply, although the page receives changes, is repeated.
    await page.context().setOffline(true);
    await sandbox.control('POST', '/faults', { kind: 'status', times: 0 });
    await page.getByRole('alert').first().waitFor();
    await page.context().setOffline(false);
    await page.getByText('all operations · applied 0 times').waitFor();
    await eventually(async () => expect(await page.getByRole('alert').count()).toBe(0));
  });

  it('says where the lists of calls and requests end', async () => {
    const { open } = await openConsole(chromium.browser);
    const page = await open('#/phones');
    const entry = { time: '2026-01-05T10:00:00.000Z', method: 'GET', path: '/', status: 200, unread: [] };
    const call = {
      ...entry,
      seconds: 1,
      direction: 'Inbound',
      type: 'Voice',
      result: 'Accepted',
      from: '1',
      to: '2',
    };
    let most = 500;
    await page.route(/\/v1\/(calls|requests)\?/, (one) => {
      const { pathname, searchParams } = new URL(one.request().url());
      // The sandbox returns one call more than the limit if there are others.
      const count = Number(searchParams.get('limit')) + (pathname.endsWith('calls') ? 1 : 0);
      const records = Array.from({ length: Math.min(most, count) }, (_, id) => ({ ...call, id }));
      return one.fulfill({ json: { records } });
    });
    await page.getByRole('link', { name: 'Service' }).click();
    await page.getByText('Newest 500 requests. Searches examine only these.').waitFor();
    await page.getByRole('link', { name: 'Calls' }).click();
    const rows = page.getByRole('region', { name: 'Call log' }).locator('tbody tr');
    const newest = page.getByText('Newest 500 calls. Search to find others.');
    const more = page.getByRole('button', { name: 'Show more' });
    for (let shown = 100; shown < 500; shown += 100) {
      await eventually(async () => expect(await rows.count()).toBe(shown));
      await more.click();
    }
    await eventually(async () => expect(await rows.count()).toBe(500));
    expect([await newest.count(), await more.count()]).toEqual([0, 0]);
    most = 501;
    await page.getByLabel('Number or extension').fill('102');
    await newest.waitFor();
    expect(await more.count()).toBe(0);
    // A narrow window shows whole calls, which remain a table to screen readers.
    await page.setViewportSize({ width: 390, height: 844 });
    const log = page.getByRole('region', { name: 'Call log' });
    const first = log.getByRole('row').nth(1).getByRole('cell');
    await eventually(async () =>
      expect(await log.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0),
    );
    expect(await first.nth(4).textContent()).toBe('0:01');
    expect(await log.getByRole('columnheader').count()).toBe(6);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});
