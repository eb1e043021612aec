import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { signInAs } from '../support/sandbox.ts';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { accessProblems, openConsole, shoot, startProgram, waitForNotice, withDelayedReply } from './page.ts';

const outside = '+14155550142';
const hostile = '</script><img src=x onerror=alert(1)><b>bold</b>\u202e\u0007';

/** The card of a phone. */
const phone = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

/** The members of an audio element that the tests use, because they are compiled without the types of a browser. */
interface Player {
  preload: string;
  currentTime: number;
  readonly duration: number;
  addEventListener(
    name: string,
    listener: (value: unknown) => void,
    options: { readonly once: boolean },
  ): void;
  load(): void;
  play(): Promise<void>;
}

/** The members of a text field that the tests use. */
interface TextField {
  value: string;
  readonly form: { requestSubmit(): void };
  dispatchEvent(event: Event): boolean;
}

/** Enters a text and submits its form at once, as extensions of a browser do. */
function enterByScript(page: Page, label: string, text: string): Promise<void> {
  return page.getByLabel(label, { exact: true }).evaluate((element, value) => {
    const field = element as unknown as TextField;
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.form.requestSubmit();
  }, text);
}

/** Runs a part of a test while a change is under way that fails then, and waits until the page says so. */
async function failLate(page: Page, path: string, during: () => Promise<void>): Promise<void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(path, async (route) => {
    if (route.request().method() === 'GET') return route.fallback();
    await released;
    await route.abort();
  });
  await during();
  release();
  await page.getByText('The sandbox does not reply.').waitFor();
  await page.unroute(path);
}

describe.skipIf(chromiumMissing() !== undefined)('the page of the sandbox in Chromium', () => {
  const chromium = useChromium();

  it('writes a text to the company as an outside number, and shows the reply of ucctl in the conversation', async () => {
    const { open, ucctl, problems } = await openConsole(chromium.browser);
    const page = await open('#/messages');
    await page.getByText('No messages yet').waitFor();
    await page.getByRole('link', { name: 'New message' }).click();
    await page.getByLabel('From (an outside number)').fill(` ${outside} `);
    await page.getByLabel('To', { exact: true }).fill('okafor');
    await page
      .locator('option', { hasText: 'Dana Okafor (102, +16505550112)' })
      .waitFor({ state: 'attached' });
    await page.getByLabel('To', { exact: true }).fill('102');
    await page.getByLabel('Text', { exact: true }).fill('Hello, is the store open today?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: outside }).waitFor();
    const texts = (await ucctl(['message', 'list', '--type', 'SMS'], '102')) as { subject: string }[];
    expect(texts.map(({ subject }) => subject)).toEqual(['Hello, is the store open today?']);
    await ucctl(['sms', 'send', '--to', outside, 'Yes, until 6 pm.', '--yes'], '102');
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByText('Yes, until 6 pm.').waitFor();
    await shoot(page, 'messages');
    await page.getByLabel(`Write as ${outside}`).fill(hostile);
    await page.getByRole('button', { name: 'Send' }).click();
    await messages.getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('img, main b').count()).toBe(0);
    expect(await messages.getByRole('listitem').filter({ hasText: 'Delivered' }).count()).toBeLessThan(2);
    expect(problems).toEqual([]);
  });

  it('keeps texts that were not sent while the user opens other conversations and views', async () => {
    const { open, sandbox, problems } = await openConsole(chromium.browser);
    const other = '+14155550143';
    for (const from of [outside, other]) await sandbox.control('POST', '/triggers/sms', { to: '100', from });
    const page = await open(`#/messages/171857100/${encodeURIComponent(outside)}`);
    const rows = page.getByRole('list', { name: 'Conversations' });
    await page.getByLabel('Kind of message').selectOption('Voicemail');
    await page.getByLabel(`Write as ${outside}`).fill('Three of them, and');
    await rows.getByText(other).click();
    expect(await page.getByLabel(`Write as ${other}`).inputValue()).toBe('');
    expect(await page.getByLabel('Kind of message').inputValue()).toBe('sms');
    await rows.getByText(outside).click();
    expect(await page.getByLabel(`Write as ${outside}`).inputValue()).toBe('Three of them, and');
    expect(await page.getByLabel('Kind of message').inputValue()).toBe('voicemail');
    await page.getByRole('link', { name: 'New message' }).click();
    await page.getByLabel('To', { exact: true }).fill('102');
    await page.getByLabel('Text', { exact: true }).fill('Is the store open?');
    await page.getByRole('link', { name: 'Live' }).click();
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByRole('link', { name: 'New message' }).click();
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('102');
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Is the store open?');
    // The sandbox replies when the user has opened another view.
    await withDelayedReply(page, '**/triggers/sms', async () => {
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('link', { name: 'Queues' }).click();
    });
    await page.getByRole('heading', { name: 'Support' }).waitFor();
    await page.getByRole('link', { name: 'Messages' }).click();
    await rows.getByText('Is the store open?').waitFor();
    expect(page.url()).toMatch(/#\/messages$/);
    await page.getByRole('link', { name: 'New message' }).click();
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('');
    expect(problems).toEqual([]);
  });

  it('makes each change of a double click once, also if the sandbox replies slowly', async () => {
    const { open, sandbox, problems } = await openConsole(chromium.browser, {
      settings: { callProgression: 'manual' },
    });
    await sandbox.control('POST', '/triggers/sms', { to: '102', from: outside });
    const page = await open('#/messages');
    const sent: string[] = [];
    const waiting: (() => void)[] = [];
    await page.route(/\/(triggers|faults|members|clock)/, async (route) => {
      if (route.request().method() !== 'GET') {
        sent.push(route.request().url().split('/').at(-1) ?? '');
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      await route.continue();
    });
    const reply = async (): Promise<void> => {
      await eventually(() => expect(waiting).not.toEqual([]));
      for (const release of waiting.splice(0)) release();
    };
    await page.getByRole('link', { name: outside }).click();
    const text = page.getByLabel(`Write as ${outside}`);
    await text.fill('Only once');
    await page.getByRole('button', { name: 'Send' }).dblclick();
    await text.fill('Written meanwhile');
    await reply();
    await page.getByRole('region', { name: 'Messages' }).getByText('Only once').waitFor();
    expect(await text.inputValue()).toBe('Written meanwhile');
    await page.keyboard.press('Tab');
    await page.keyboard.press('1');
    await page.getByRole('button', { name: 'Call Mei Lin, 106' }).dblclick();
    await reply();
    await page.getByRole('button', { name: 'Answer: Mei Lin, 106' }).waitFor();
    await page.keyboard.press('6');
    await page.getByRole('button', { name: 'Switch on' }).dblclick();
    await reply();
    await page.getByRole('list', { name: 'Faults' }).getByText('applied 0 of 1 time').waitFor();
    const notice = page.locator('.notice');
    await page.getByRole('button', { name: 'Switch off: Status 503' }).dblclick();
    await reply();
    await page.getByText('No faults.').waitFor();
    expect(await notice.count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).dblclick();
    await reply();
    await page.getByRole('button', { name: 'Freeze' }).waitFor();
    await page.keyboard.press('4');
    // The second click is on the agent that moves to the place of the removed one.
    const sales = page.getByRole('article', { name: 'Sales' });
    const remove = sales.getByRole('button', { name: /^Remove/ });
    const place = await remove.first().boundingBox();
    await page.mouse.move((place?.x ?? 0) + 10, (place?.y ?? 0) + 10);
    await page.mouse.down({ clickCount: 1 });
    await page.mouse.up({ clickCount: 1 });
    await reply();
    await sales.getByText('2 agents').waitFor();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    const add = sales.getByLabel('Add an agent to Sales');
    await add.fill('107');
    await add.press('Enter');
    await add.press('Enter');
    await reply();
    await sales.getByText('3 agents').waitFor();
    expect(sent).toEqual(['sms', 'call', 'faults', '1', 'clock', '171857104', '107']);
    await page.unrouteAll({ behavior: 'wait' });
    expect(problems).toEqual([]);
  });

  it('suggests each phone of a large account as a recipient and as an agent', async () => {
    const { open, sandbox, problems } = await openConsole(chromium.browser, { fixture: 'call-center' });
    const path = '/phones?limit=1&offset=1500';
    const [late] = (await sandbox.control('GET', path))['records'] as { name: string; number: string }[];
    const page = await open('#/messages/new');
    await page.getByLabel('To', { exact: true }).fill(late?.name ?? '');
    const option = page.locator(`option[value="${late?.number}"]`);
    await option.waitFor({ state: 'attached' });
    expect(await option.textContent()).toContain(late?.name);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Queues' }).click();
    const support = page.getByRole('article', { name: 'Support', exact: true });
    await support.getByLabel('Add an agent to Support').fill(late?.number ?? '');
    await support.locator(`option[value="${late?.number}"]`).waitFor({ state: 'attached' });
    await support.getByRole('button', { name: 'Add this agent to Support' }).click();
    await support
      .getByRole('button', { name: `Remove ${late?.name}, ${late?.number} from Support` })
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('shows the unchanged state after a failed change of a switch or a choice', async () => {
    const { open } = await openConsole(chromium.browser);
    const page = await open('#/queues');
    await page.route(/\/(members|triggers)\//, (one) => one.abort());
    const accepts = page.getByRole('switch').first();
    await accepts.click();
    await page.getByText('The sandbox does not reply.').waitFor();
    await eventually(async () => expect(await accepts.isChecked()).toBe(true));
    await page.getByRole('link', { name: 'Phones' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    const presence = page.getByLabel('Presence of Dana Okafor, 102');
    await presence.selectOption('Busy');
    await page.getByText('The sandbox does not reply.').waitFor();
    await eventually(async () => expect(await presence.inputValue()).toBe('Available'));
  });

  it('shows what others have changed while a change of the same switch or choice failed', async () => {
    const { open, sandbox } = await openConsole(chromium.browser);
    const queue = '/queues/171857201/members';
    const page = await open('#/queues');
    const [accepts, next] = [page.getByRole('switch').first(), page.getByRole('switch').nth(1)];
    await failLate(page, `**${queue}/*`, async () => {
      await accepts.click();
      for (const id of ['171857102', '171857103'])
        await sandbox.control('PATCH', `${queue}/${id}`, { accepts: false });
      await eventually(async () => expect(await next.isChecked()).toBe(false));
    });
    expect(await accepts.isChecked()).toBe(false);
    await page.getByRole('link', { name: 'Phones' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    const presence = page.getByLabel('Presence of Dana Okafor, 102');
    await failLate(page, '**/triggers/presence', async () => {
      await presence.selectOption('Busy');
      await sandbox.control('POST', '/triggers/presence', { extension: '102', userStatus: 'Offline' });
      await eventually(async () => expect(await presence.inputValue()).toBe('Offline'));
    });
    expect(await presence.inputValue()).toBe('Offline');
    await page.getByRole('button', { name: 'Close' }).click();
    const immediate = page.getByRole('radio', { name: 'Immediate' });
    await failLate(page, '**/settings', async () => {
      await page.getByRole('radio', { name: 'Manual' }).click();
      await sandbox.control('PATCH', '/settings', { callProgression: 'immediate' });
      await eventually(async () => expect(await immediate.isChecked()).toBe(true));
    });
    await eventually(async () => expect(await immediate.isChecked()).toBe(true));
  });

  it('keeps the agent that the user types while it adds another one', async () => {
    const { open, problems } = await openConsole(chromium.browser);
    const page = await open('#/queues');
    const support = page.getByRole('article', { name: 'Support' });
    const field = support.getByLabel('Add an agent to Support');
    await field.fill('107');
    await withDelayedReply(page, '**/members/107', async () => {
      await page.keyboard.press('Enter');
      await field.fill('106');
    });
    await support.getByRole('button', { name: 'Remove Priya Nair, 107 from Support' }).waitFor();
    expect(await field.inputValue()).toBe('106');
    expect(problems).toEqual([]);
  });

  it('sends what a script has entered before the page drew it', async () => {
    const { open, sandbox, problems } = await openConsole(chromium.browser);
    const page = await open('#/queues');
    await enterByScript(page, 'Add an agent to Support', '107');
    await page.getByRole('button', { name: 'Remove Priya Nair, 107 from Support' }).waitFor();
    await sandbox.control('POST', '/triggers/sms', { to: '100', from: outside });
    await page.goto(`${sandbox.url}/#/messages/171857100/${encodeURIComponent(outside)}`);
    await enterByScript(page, `Write as ${outside}`, 'Entered by a script');
    await page.getByRole('region', { name: 'Messages' }).getByText('Entered by a script').waitFor();
    await page.goto(`${sandbox.url}/#/service`);
    await enterByScript(page, 'Number of failures (0: no limit)', '7');
    await page.getByRole('list', { name: 'Faults' }).getByText('applied 0 of 7 times').waitFor();
    await enterByScript(page, 'Name of a new snapshot', 'scripted');
    await waitForNotice(page, 'Saved the state as scripted.');
    expect(problems).toEqual([]);
  });

  it('plays a voicemail, and offers fax pages for download', async () => {
    const { open, ucctl, sandbox } = await openConsole(chromium.browser);
    await ucctl([
      'sandbox',
      'trigger',
      'voicemail',
      'to=102',
      `from=${outside}`,
      'transcription=Call me back',
    ]);
    await ucctl(['sandbox', 'trigger', 'fax', 'to=102', `from=${outside}`]);
    const page = await open(`#/messages/171857102/${encodeURIComponent(outside)}`);
    await page.getByText('Call me back').waitFor();
    const audio = page.getByLabel('Voicemail', { exact: true });
    const source = (await audio.getAttribute('src')) ?? '';
    const content = await fetch(new URL(source, sandbox.url));
    expect([content.status, content.headers.get('content-type')]).toEqual([200, 'audio/x-wav']);
    const [fax] = await Promise.all([page.waitForEvent('download'), page.getByText(/kB\)$/).click()]);
    expect(fax.suggestedFilename()).toMatch(/\.pdf$/);
  });

  it('plays a recording of a call from any position, and reports a deleted recording', async () => {
    const { open, ucctl, sandbox } = await openConsole(chromium.browser, { fixture: 'call-center' });
    const page = await open('#/calls');
    const audio = page.getByLabel(/^Recording of/).first();
    await audio.waitFor();
    const source = new URL((await audio.getAttribute('src')) ?? '', sandbox.url);
    const part = await fetch(source, { headers: { range: 'bytes=100-149' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 50]);
    expect((await fetch(source, { headers: { range: 'bytes=999999999-' } })).status).toBe(416);
    const position = await audio.evaluate(async (element) => {
      const player = element as unknown as Player;
      const event = (name: string): Promise<unknown> =>
        new Promise((resolve) => player.addEventListener(name, resolve, { once: true }));
      const [loaded, seeked] = [event('loadedmetadata'), event('seeked')];
      player.load();
      player.preload = 'metadata';
      await loaded;
      player.currentTime = player.duration * 0.9;
      await seeked;
      return player.currentTime / player.duration;
    });
    expect(position).toBeCloseTo(0.9, 2);
    // The recording can expire between the list and the start of the player.
    const other = await open('#/calls');
    await other.route('**/recordings/*/content', (route) => route.fulfill({ status: 404 }));
    const expired = other.getByLabel(/^Recording of/).first();
    await expired.evaluate((element) => void (element as unknown as Player).play().catch(() => undefined));
    await other.getByText('Recording no longer available').first().waitFor();
    await ucctl(['sandbox', 'clock', 'freeze']);
    await ucctl(['sandbox', 'clock', 'advance', '100d']);
    expect((await fetch(source)).status).toBe(404);
    await eventually(async () => expect(await page.getByLabel(/^Recording of/).count()).toBe(0));
  });

  it('makes a phone ring, answers and hangs up, as ucctl sees it', async () => {
    const { open, ucctl, problems } = await openConsole(chromium.browser);
    const page = await open();
    await page.getByRole('radio', { name: 'Manual' }).check();
    await waitForNotice(page, 'Calls change only when you use the buttons of a phone.');
    expect(await ucctl(['sandbox', 'settings'])).toMatchObject({ callProgression: 'manual' });
    const dana = phone(page, 'Dana Okafor');
    await dana.getByRole('button', { name: 'Call' }).click();
    await dana.getByText('Ringing').waitFor();
    // A phone that rings is the first of the list.
    expect(await page.getByRole('article').first().getByRole('heading').textContent()).toBe('Dana Okafor');
    await ucctl(['sandbox', 'trigger', 'call', 'to=103', `from=${outside}`]);
    await phone(page, 'José Álvarez').getByText('Ringing').waitFor();
    await page.getByRole('status').getByText('Ringing: Dana Okafor, 102; José Álvarez, 103').waitFor();
    await dana.getByRole('button', { name: 'Answer' }).click();
    await dana.getByText('Connected').waitFor();
    await shoot(page, 'phones');
    const presence = await ucctl(['presence', 'show'], '102');
    expect(presence).toMatchObject({ telephonyStatus: 'CallConnected' });
    await dana.getByRole('button', { name: 'Hang up' }).click();
    await dana.getByText('Connected').waitFor({ state: 'detached' });
    // What the terminal does is seen in the page.
    await ucctl(['sandbox', 'phone', 'reject', '103']);
    await phone(page, 'José Álvarez').getByText('Ringing').waitFor({ state: 'detached' });
    await page.keyboard.press('5');
    await page.getByRole('cell', { name: `Dana Okafor (+16505550112)` }).waitFor();
    const calls = (await ucctl(['calllog', 'list', '--extension', '~'], '102')) as { result: string }[];
    expect(calls.map(({ result }) => result)).toEqual(['Accepted']);
    expect(problems).toEqual([]);
  });

  it("shows a program's webhook being delivered, failing, and replayed", async () => {
    const { open, ucctl, sandbox, problems } = await openConsole(chromium.browser);
    const program = await startProgram();
    const page = await open('#/live');
    await page.getByText('No program has subscribed to events.').waitFor();
    const token = await signInAs(sandbox, '100');
    const subscribed = await fetch(`${sandbox.url}/restapi/v1.0/subscription`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        eventFilters: ['/restapi/v1.0/account/~/presence'],
        deliveryMode: { transportType: 'WebHook', address: program.address },
      }),
    });
    expect(subscribed.status).toBe(200);
    await page.getByText(`1 subscription: ${program.address}`).waitFor();
    await ucctl(['sandbox', 'trigger', 'presence', 'extension=102', 'userStatus=Busy']);
    await page.getByText('Delivered, HTTP 200').waitFor();
    program.status = 500;
    await ucctl(['sandbox', 'trigger', 'presence', 'extension=103', 'userStatus=Offline']);
    const failed = page.getByRole('link').filter({ hasText: 'Failed, HTTP 500' });
    await failed.filter({ hasText: 'José Álvarez (103)' }).click();
    await page.getByRole('region', { name: 'JSON' }).getByText('"Offline"').first().waitFor();
    await shoot(page, 'live');
    program.status = 200;
    const before = program.received.length;
    await page.getByRole('button', { name: 'Replay' }).click();
    await eventually(() => expect(program.received.length).toBe(before + 1));
    expect(program.received.at(-1)).toBe(program.received.at(-2));
    await page.getByText('3 events').waitFor();
    await eventually(async () => {
      const deliveries = (await ucctl(['sandbox', 'delivery', 'list'])) as { state: string }[];
      expect(deliveries.map(({ state }) => state)).toEqual(['delivered', 'failed', 'delivered']);
    });
    await page.getByLabel('Delivery', { exact: true }).selectOption('Failed');
    await page.getByText('1 event', { exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  it('freezes the clock, advances it five days, and lists what fired', async () => {
    const { open, ucctl, problems } = await openConsole(chromium.browser, { clock: 'real' });
    const page = await open('#/service');
    await page.getByRole('button', { name: 'Freeze' }).click();
    await page.getByRole('heading', { name: 'Clock Frozen' }).waitFor();
    const before = (await ucctl(['sandbox', 'clock', 'show'])) as { mode: string; time: string };
    expect(before.mode).toBe('frozen');
    await ucctl(['sandbox', 'trigger', 'call', 'to=102', `from=${outside}`]);
    await page.getByRole('button', { name: 'Advance 5 days' }).click();
    await page.getByRole('list', { name: 'Fired timers' }).getByText('Call step').first().waitFor();
    const after = (await ucctl(['sandbox', 'clock', 'show'])) as { time: string };
    expect(Date.parse(after.time) - Date.parse(before.time)).toBe(5 * 86_400_000);
    await shoot(page, 'service');
    await page.getByRole('button', { name: 'Resume' }).click();
    await eventually(async () =>
      expect(await ucctl(['sandbox', 'clock', 'show'])).toMatchObject({ mode: 'real' }),
    );
    expect(problems).toEqual([]);
    // The computer sleeps for an hour, in which the clock of the sandbox goes on. No later reply reports its time.
    await page.route('**/v1/status', (route) => route.abort());
    await page.getByRole('button', { name: 'Advance 1 minute' }).click();
    await page.getByText('No timer was due.').waitFor();
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 3_600_000; }');
    await eventually(async () => {
      const shown = (await page.locator('.clock time').getAttribute('datetime')) ?? '';
      expect(Date.parse(shown) - Date.parse(after.time)).toBeGreaterThanOrEqual(3_600_000);
    });
  });

  it('switches a fault on, with which a program copes, and off', async () => {
    const { open, ucctl, problems } = await openConsole(chromium.browser);
    const page = await open('#/service');
    await page.getByLabel('Operation').selectOption('listExtensions');
    await page.getByRole('button', { name: 'Switch on' }).click();
    const faults = page.getByRole('list', { name: 'Faults' });
    await faults.getByText('listExtensions · applied 0 of 1 time').waitFor();
    const count = page.getByRole('heading', { name: 'Faults' });
    expect(await count.textContent()).toBe('Faults 1 on');
    expect(await ucctl(['sandbox', 'fault', 'list'])).toMatchObject([
      { operation: 'listExtensions', status: 503 },
    ]);
    // ucctl repeats a read that failed with 503.
    expect(await ucctl(['queue', 'list'])).toHaveLength(3);
    // A fault that was applied as often as it can be is not on.
    await faults.getByText('listExtensions · applied 1 of 1 time').waitFor();
    await faults.getByText('Used up').waitFor();
    expect(await count.textContent()).toBe('Faults ');
    const requests = page.getByRole('list', { name: 'Requests' });
    await requests.getByText('503').waitFor();
    await requests.getByText('CMN-201: ').waitFor();
    await requests.getByText('200').first().waitFor();
    await page.getByRole('button', { name: 'Remove: Status 503' }).click();
    await page.getByText('No faults.').waitFor();
    expect(await ucctl(['sandbox', 'fault', 'list'])).toEqual([]);
    // A fault of notifications has no operation, whatever operation the form had before.
    await page.getByLabel('Kind').selectOption('webhook-drop');
    await page.getByLabel('Operation').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Switch on' }).click();
    await faults.getByText('applied 0 of 1 time', { exact: true }).waitFor();
    const options = ['--milliseconds', '500', '--after', '2', '--percent', '30', '--times', '0'];
    await ucctl(['sandbox', 'fault', 'add', 'latency', ...options]);
    await faults
      .getByText('all operations · 500 ms · after 2 requests · 30 % of requests · applied 0 times')
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('saves and loads a state, resets, and changes the agents of a queue', async () => {
    const { open, ucctl } = await openConsole(chromium.browser);
    const page = await open('#/service');
    await page.getByLabel('Name of a new snapshot').fill('before');
    await page.getByRole('button', { name: 'Save' }).click();
    await waitForNotice(page, 'Saved the state as before.');
    // The clock of the sandbox has another time.
    const snapshots = page.getByRole('list', { name: 'Snapshots' });
    await snapshots.getByText(/^\d+ \w+ \d{4}, [\d:]+ \(time of this machine\)$/).waitFor();
    await page.keyboard.press('4');
    const support = page.getByRole('article', { name: 'Support' });
    await support.getByLabel('Add an agent to Support').fill('nair');
    await support.locator('option[value="107"]').waitFor({ state: 'attached' });
    expect(await support.locator('option').allTextContents()).toEqual(['Priya Nair (107, +16505550117)']);
    await support.getByLabel('Add an agent to Support').fill('107');
    await support.getByLabel('Add an agent to Support').press('Enter');
    await support.getByText('4 agents').waitFor();
    await support.getByRole('switch', { name: 'Takes calls of this queue (Dana Okafor, 102)' }).click();
    await support.getByText('Signed out').waitFor();
    const members = (await ucctl(['queue', 'members', '201'])) as { extensionNumber: string }[];
    expect(members.map(({ extensionNumber }) => extensionNumber)).toContain('107');
    await support.getByRole('button', { name: 'Remove Priya Nair, 107 from Support' }).click();
    await support.getByText('3 agents').waitFor();
    await shoot(page, 'queues');
    // The list of the page does not know the snapshot yet.
    await page.route('**/snapshots', (route) => route.fulfill({ json: { records: [] } }), { times: 1 });
    await page.keyboard.press('6');
    await page.getByText('No snapshots.').waitFor();
    // A snapshot is neither overwritten nor loaded without a question.
    await page.getByLabel('Name of a new snapshot').fill('before');
    await page.getByRole('button', { name: 'Save' }).click();
    const overwrite = page.getByRole('dialog', { name: 'Overwrite the snapshot before?' });
    await overwrite.getByRole('button', { name: 'Cancel' }).click();
    await overwrite.waitFor({ state: 'detached' });
    // The page has read the list for the question.
    await page.getByRole('button', { name: 'Load snapshot before' }).click();
    const load = page.getByRole('dialog', { name: 'Load the snapshot before?' });
    await load.waitFor();
    await shoot(page, 'snapshot');
    await load.getByRole('button', { name: 'Load' }).click();
    await waitForNotice(page, 'Loaded the state before.');
    await page.keyboard.press('4');
    expect(await support.getByRole('switch').first().isChecked()).toBe(true);
    await page.keyboard.press('6');
    await page.getByRole('button', { name: 'Reset…' }).click();
    await page.getByRole('button', { name: 'Delete everything' }).click();
    await waitForNotice(page, 'Loaded the content small-office.');
  });

  it('can be used with the keyboard alone', async () => {
    const { open, ucctl, problems } = await openConsole(chromium.browser, {
      settings: { callProgression: 'manual' },
    });
    const page = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('okafor');
    await phone(page, 'Reception').waitFor({ state: 'detached' });
    await tabTo(page, 'Call Dana Okafor, 102');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Answer: Dana Okafor, 102');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Hang up: Dana Okafor, 102');
    await page.keyboard.press('Enter');
    await phone(page, 'Dana Okafor').getByText('Connected').waitFor({ state: 'detached' });
    for (const number of ['1', '2'])
      await ucctl(['sandbox', 'trigger', 'sms', 'to=102', `from=+1415555010${number}`]);
    await page.keyboard.press('2');
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('link');
    await rows.nth(1).waitFor();
    await rows.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '+14155550101' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('has no violation of accessibility, wide and light, and 400 pixels wide and dark', async () => {
    const { open, ucctl, sandbox } = await openConsole(chromium.browser, {
      settings: { callProgression: 'manual' },
    });
    await ucctl(['sandbox', 'trigger', 'sms', 'to=102', `from=${outside}`, `text=${'long '.repeat(60)}`]);
    await ucctl(['sandbox', 'trigger', 'voicemail', 'to=102', `from=${outside}`]);
    await ucctl(['sandbox', 'trigger', 'call', 'to=103', `from=${outside}`]);
    await ucctl(['sandbox', 'trigger', 'call', 'to=104', `from=${outside}`, 'talkSeconds=100']);
    await ucctl(['sandbox', 'phone', 'answer', '104']);
    await ucctl(['sandbox', 'fault', 'add', 'latency', '--times', '2']);
    const token = await signInAs(sandbox, '100');
    await fetch(`${sandbox.url}/restapi/v1.0/account/~/extension`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const thread = `#/messages/171857102/${encodeURIComponent(outside)}`;
    const places = [
      ['', 'Ringing'],
      ['#/messages', 'Dana Okafor (102)'],
      [thread, 'with Dana Okafor (102)'],
      ['#/messages/new', 'New message from outside'],
      ['#/live', 'No events yet'],
      ['#/queues', 'Takes calls of this queue'],
      ['#/calls', 'No calls yet'],
      ['#/service', 'Switch on'],
    ] as const;
    for (const [width, scheme] of [
      [1280, 'light'],
      [400, 'dark'],
    ] as const) {
      const page = await open('', { width, height: 800 }, scheme);
      for (const [place, shown] of places) {
        await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
        await page.getByText(shown).first().waitFor();
        expect([place, ...(await accessProblems(page))]).toEqual([place]);
        if (place === '' && width === 400) await shoot(page, 'phones-narrow');
      }
      await page.close();
    }
  });

  it('says that the sandbox has stopped, wide and 400 pixels wide, and continues when it runs again', async () => {
    const { open, sandbox } = await openConsole(chromium.browser, { port: await freePort() });
    const pages = [await open(), await open('#/phones', { width: 400, height: 800 })];
    for (const page of pages) await phone(page, 'Dana Okafor').waitFor();
    await sandbox.close();
    for (const page of pages) await page.getByText('Not reachable, retrying').waitFor();
    const again = await startSandbox({
      port: Number(new URL(sandbox.url).port),
      settings: { callProgression: 'manual' },
    });
    onTestFinished(() => again.close());
    for (const page of pages) await page.getByText('Not reachable, retrying').waitFor({ state: 'detached' });
    await again.control('POST', '/triggers/call', { to: '102', from: outside });
    for (const page of pages) {
      await phone(page, 'Dana Okafor').getByText('Ringing').waitFor();
      expect(await page.getByRole('status').filter({ hasText: 'Not reachable' }).count()).toBe(0);
    }
  });

  it('continues after another program has replied at the address of the sandbox', async () => {
    const { open, sandbox } = await openConsole(chromium.browser, { port: await freePort() });
    const page = await open();
    const port = Number(new URL(sandbox.url).port);
    await sandbox.close();
    let requests = 0;
    const other = createServer((request, response) => {
      if (request.url === '/sandbox/v1/changes') requests += 1;
      response.writeHead(503, { connection: 'close' }).end();
    });
    await new Promise<void>((resolve) => {
      other.listen(port, '127.0.0.1', resolve);
    });
    await eventually(() => expect(requests).toBeGreaterThan(0));
    await new Promise((resolve) => other.close(resolve));
    const again = await startSandbox({ port });
    onTestFinished(() => again.close());
    await page.getByText('Not reachable, retrying').waitFor({ state: 'detached' });
    await page.locator('.connection.live').waitFor();
  });

  it('draws only the visible rows of a long list, and searches all of them', async () => {
    const { open, sandbox } = await openConsole(chromium.browser);
    for (let number = 0; number < 300; number += 1) {
      const from = `+1415555${String(number).padStart(4, '0')}`;
      await sandbox.control('POST', '/triggers/sms', { to: '102', from });
    }
    const page = await open('#/messages');
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
    await rows.first().waitFor();
    expect(await rows.first().getAttribute('aria-setsize')).toBe('300');
    expect(await rows.count()).toBeLessThan(40);
    await page.getByLabel('Search messages').fill('5550007');
    await eventually(async () => expect(await rows.count()).toBe(1));
  });
});

async function tabTo(page: Page, label: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).waitFor();
  for (let presses = 0; presses < 200; presses += 1) {
    if ((await page.evaluate(`document.activeElement.getAttribute('aria-label')`)) === label) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`"${label}" cannot be reached with Tab`);
}
