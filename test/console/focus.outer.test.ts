import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { openConsole } from './page.ts';
import { openProfile } from './profile.ts';

/** Waits until an element has the focus. */
async function expectFocus(page: Page, name: string | RegExp): Promise<void> {
  const focused = `(document.activeElement.labels?.[0] ?? document.activeElement).textContent`;
  const read = `document.activeElement.getAttribute('aria-label') ?? ${focused}`;
  await eventually(async () => expect(await page.evaluate(read)).toMatch(name));
}

/** Presses Enter on a button. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: true }).press('Enter');
}

describe.skipIf(chromiumMissing() !== undefined)('the focus of the keyboard', () => {
  const chromium = useChromium();

  it('stays at the place of a button that its action removes on the page of the sandbox', async () => {
    const { open, ucctl, sandbox, problems } = await openConsole(chromium.browser, {
      settings: { callProgression: 'manual' },
    });
    const page = await open('#/phones');
    await press(page, 'Call Mei Lin, 106');
    await expectFocus(page, 'Answer: Mei Lin, 106');
    // The card of another phone moves before the card with the focus.
    await sandbox.control('POST', '/triggers/call', { to: '107', from: '+14155550143' });
    await page.getByRole('button', { name: 'Answer: Priya Nair, 107' }).waitFor();
    await expectFocus(page, 'Answer: Mei Lin, 106');
    await press(page, 'Answer: Mei Lin, 106');
    await page.getByRole('button', { name: 'Hang up: Mei Lin, 106' }).waitFor();
    await expectFocus(page, /: Mei Lin, 106$/);
    await press(page, 'Hang up: Mei Lin, 106');
    await page.getByRole('button', { name: 'Call Mei Lin, 106' }).waitFor();
    await expectFocus(page, /Mei Lin, 106$/);
    await page.evaluate("location.hash = '#/queues'");
    // The Enter key is held, and does not press the button that gets the focus.
    await page.getByRole('button', { name: 'Remove Dana Okafor, 102 from Support' }).focus();
    await page.keyboard.down('Enter');
    await expectFocus(page, 'Remove José Álvarez, 103 from Support');
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await press(page, 'Remove Priya Nair, 107 from Billing');
    await expectFocus(page, /agent to Billing$/);
    await page.getByRole('article', { name: 'Support' }).getByText('2 agents').waitFor();
    for (const status of ['500', '503'])
      await ucctl(['sandbox', 'fault', 'add', 'status', '--status', status, '--operation', 'sendSms']);
    await page.evaluate("location.hash = '#/service'");
    await press(page, 'Switch off: Status 500');
    await expectFocus(page, 'Switch off: Status 503');
    await press(page, 'Switch off: Status 503');
    await expectFocus(page, 'Kind');
    await ucctl(['queue', 'list']);
    await press(page, /listExtensions/);
    await press(page, 'Close');
    await expectFocus(page, /listExtensions/);
    await press(page, 'Reset…');
    await expectFocus(page, 'Cancel');
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Reset…');
    expect(problems).toEqual([]);
  });

  it('stays at the place of a button that its action disables on the page of a profile', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open({ place: '#/queues/171857201' });
    await press(page, 'Remove Chris Smith, 104');
    await expectFocus(page, 'Remove José Álvarez, 103');
    await press(page, 'Show the changes…');
    await expectFocus(page, 'Cancel');
    await press(page, 'Apply');
    await expectFocus(page, /^Undo run/);
    expect(profile.problems).toEqual([]);
  });
});
