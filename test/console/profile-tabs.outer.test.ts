import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { live } from '../commands/webhook/listening.ts';
import { setVisibility } from './page.ts';
import { openProfile, outside, type ProfileConsole } from './profile.ts';

/** Number of requests for presences that the service has received. */
async function presenceReads({ sandbox }: ProfileConsole): Promise<number> {
  const { records } = (await sandbox.control('GET', '/requests?limit=1000')) as {
    readonly records: readonly { readonly path: string }[];
  };
  return records.filter(({ path }) => path.includes('/presence')).length;
}

// A browser opens at most six connections to a server.
describe.skipIf(chromiumMissing() !== undefined)('seven tabs with the page of a profile', () => {
  const chromium = useChromium();

  /** Opens a view in seven tabs. Each is hidden by the next one. */
  async function openTabs(
    profile: ProfileConsole,
    place: string,
    shown: (page: Page) => Promise<void>,
  ): Promise<Page> {
    const pages: Page[] = [];
    for (let tab = 0; tab < 7; tab += 1) {
      const page = await profile.open({ place });
      await shown(page);
      await setVisibility(page, 'hidden');
      pages.push(page);
    }
    const [first] = pages as [Page];
    await setVisibility(first, 'visible');
    return first;
  }

  it('share one board, whose durations remain known while nobody looks', async () => {
    const profile = await openProfile(chromium.browser, {
      sandbox: { settings: { callProgression: 'manual' } },
      sleep: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
    });
    const { sandbox } = profile;
    const agents = (page: Page) => page.getByRole('list', { name: 'Agents' }).getByRole('listitem');
    const shown = (page: Page) =>
      eventually(async () => expect(await agents(page).getByText('Available').count()).toBe(3));
    const reads: number[] = [];
    const first = await openTabs(profile, '#/board/171857201', async (page) => {
      await shown(page);
      reads.push(await presenceReads(profile));
    });
    await sandbox.control('POST', '/triggers/call', { to: '102', from: outside });
    await first.getByRole('article', { name: 'Dana Okafor' }).getByText('Ringing').first().waitFor();
    // Only the first tab read the presences. A board also checks one person from time to time.
    expect((reads.at(-1) ?? 0) - (reads[0] ?? 0)).toBeLessThan(6);
    expect(profile.problems).toEqual([]);
    expect((await profile.end()).exit).toBe(0);
    const subscriptions = (await profile.ucctl(['subscribe', 'list'])) as readonly unknown[];
    expect(subscriptions).toEqual([]);
  });

  it('add the events that arrived while a tab was hidden', async () => {
    const profile = await openProfile(chromium.browser);
    const { ready, interrupt, result } = await live(profile, 'webhook listen --no-subscribe');
    const event = '/restapi/v1.0/account/1/extension/171857102/presence';
    const post = (uuid: string): Promise<Response> =>
      fetch(ready.address, {
        method: 'POST',
        body: JSON.stringify({ uuid, event, subscriptionId: 'sub-1', body: {} }),
      });
    await post('one');
    const rows = (page: Page) => page.getByRole('list', { name: 'Events' }).getByRole('link');
    const first = await openTabs(profile, '#/live', (page) => rows(page).first().waitFor());
    await setVisibility(first, 'hidden');
    await post('two');
    await setVisibility(first, 'visible');
    await eventually(async () => expect(await rows(first).count()).toBe(2));
    expect(profile.problems).toEqual([]);
    interrupt();
    await result;
  });
});
