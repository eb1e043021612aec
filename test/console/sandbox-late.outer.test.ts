import { describe, expect, it } from 'vitest';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { delayRequests, openConsole, waitForNotice } from './page.ts';

describe.skipIf(chromiumMissing() !== undefined)('the page of the sandbox when replies are late', () => {
  const chromium = useChromium();

  it('saves a snapshot under the name that was submitted, and keeps a name that is typed meanwhile', async () => {
    const { open, ucctl, problems } = await openConsole(chromium.browser);
    await ucctl(['sandbox', 'snapshot', 'save', 'base']);
    const page = await open('#/service');
    const load = page.getByRole('button', { name: 'Load snapshot base' });
    await load.waitFor();
    const field = page.getByLabel('Name of a new snapshot');
    /** Submits a name, and types another letter before the page knows whether the snapshot exists. */
    const submit = async (name: string): Promise<() => void> => {
      const release = await delayRequests(page, '**/snapshots');
      await field.fill(name);
      await field.press('Enter');
      await page.keyboard.type('2');
      return release;
    };
    const names = async (): Promise<readonly string[]> => {
      const found = (await ucctl(['sandbox', 'snapshot', 'list'])) as { name: string }[];
      return found.map(({ name }) => name).toSorted();
    };
    (await submit('base'))();
    const overwrite = page.getByRole('dialog', { name: 'Overwrite the snapshot base?' });
    await overwrite.getByRole('button', { name: 'Overwrite' }).click();
    await waitForNotice(page, 'Saved the state as base.');
    await overwrite.waitFor({ state: 'detached' });
    expect(await names()).toEqual(['base']);
    expect(await field.inputValue()).toBe('base2');
    (await submit('other'))();
    await waitForNotice(page, 'Saved the state as other.');
    expect(await names()).toEqual(['base', 'other']);
    expect(await field.inputValue()).toBe('other2');
    await field.fill('third');
    await field.press('Enter');
    await waitForNotice(page, 'Saved the state as third.');
    await eventually(async () => expect(await field.inputValue()).toBe(''));
    // The page does not ask another question in the dialog that the user reads.
    const release = await submit('base');
    await load.click();
    const question = page.getByRole('dialog', { name: 'Load the snapshot base?' });
    await question.waitFor();
    const reply = page.waitForResponse('**/snapshots');
    release();
    await (await reply).finished();
    // The page reads the list again when it knows that the snapshot exists.
    await (await page.waitForResponse('**/snapshots')).finished();
    await question.getByRole('button', { name: 'Load' }).click();
    await waitForNotice(page, 'Loaded the state base.');
    expect(await overwrite.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('closes a request that a reset has deleted, and shows the body of the new request with its ID', async () => {
    const { open, ucctl, sandbox, problems } = await openConsole(chromium.browser);
    const page = await open('#/service');
    const send = (text: string) =>
      ucctl(['sms', 'send', '--to', '+14155550142', `the ${text} lamp`, '--yes'], '102');
    await send('blue');
    const row = page.getByRole('list', { name: 'Requests' }).getByRole('button').filter({ hasText: '/sms' });
    await row.click();
    const detail = page.getByRole('region', { name: 'Request', exact: true });
    await detail.getByText('the blue lamp').waitFor();
    // The page does not see the empty list.
    const release = await delayRequests(page, /\/v1\/requests\?/);
    await sandbox.control('POST', '/reset', {});
    await sandbox.control('POST', '/clock/advance', { seconds: 60 });
    await send('red');
    release();
    await detail.waitFor({ state: 'detached' });
    await row.click();
    await detail.getByText('the red lamp').waitFor();
    expect(problems).toEqual([]);
  });
});
