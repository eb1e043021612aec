import { type Browser, type Page } from 'playwright-core';
import { startChromium } from '../../test/support/chromium.ts';
import type { Pane } from './pane.ts';

/** A picture of a web page: the commands that make it are typed on the terminal, then a browser opens it. */
export interface PageScene {
  /** File name below `docs/screens`, without `.png`. */
  readonly name: string;
  /** Height of the picture in pixels; the whole page if absent. */
  readonly height?: number;
  /** Types the commands; returns the address of the page, and what to do after the picture. */
  readonly play: (pane: Pane) => Promise<{ readonly url: string; readonly close: () => Promise<void> }>;
  /** Brings the page into the state of the picture. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const width = 1000;

/** Columns of the terminal, so that the address of the inspector fits a line. */
export const pageColumns = 200;

/** A month of calls, in a sandbox of its own. UCCTL_DIALECT overrides the dialect that the profile of the terminal stores. */
const report: PageScene = {
  name: 'call-report',
  async play(pane) {
    const commands = [
      'ucctl login --flow password --username "$UCCTL_SANDBOX_USERNAME" -q > /dev/null',
      'ucctl calllog stats --since 31d --report report.html -q > /dev/null',
    ].join(' && ');
    const exec = 'UCCTL_DIALECT=spec ucctl sandbox exec --fixture call-center';
    pane.type(`${exec} -- sh -c '${commands}' && clear && pwd`);
    const lines = await pane.prompt();
    const folder = lines.map((line) => line.trim()).find((line) => line.startsWith('/'));
    if (folder === undefined) throw new Error(`the report is not made:\n${lines.join('\n')}`);
    return { url: `file://${folder}/report.html`, close: () => Promise.resolve() };
  },
  async prepare(page) {
    await page.getByText('Calls by weekday and hour').waitFor();
  },
};

const events = [
  'ucctl sandbox trigger sms from=+16505550147 to=+16505550110 text="One plate is broken, can you send another?" -q',
  'ucctl sandbox trigger call from=+16505550199 to=102 -q',
].join('; ');

/** The inspector with the events of a text and a ringing call. */
const inspector: PageScene = {
  name: 'inspector',
  height: 620,
  async play(pane) {
    pane.type(
      `(until ucctl subscribe list -q 2> /dev/null | grep -q .; do sleep 0.2; done; ${events}) > /dev/null 2>&1 &`,
    );
    await pane.prompt();
    await pane.clear();
    pane.type('ucctl webhook listen --inspect --events messages,presence:detailed --extension ~,102');
    const lines = await pane.until(/Inspector: http[\s\S]*is ringing/);
    const url = /Inspector: (http\S+)/.exec(lines.join('\n'))?.[1] ?? '';
    const close = async (): Promise<void> => {
      pane.press('C-c');
      await pane.prompt();
      pane.type('ucctl sandbox phone hangup +16505550199 > /dev/null');
      await pane.prompt();
    };
    return { url, close };
  },
  async prepare(page) {
    await page.getByText('is ringing').first().click();
    await page.getByText('telephonyStatus').first().waitFor();
  },
};

export const pageScenes: readonly PageScene[] = [report, inspector];

/** Plays the scenes, and passes each picture as PNG to `write`. */
export async function playPages(
  pane: Pane,
  scenes: readonly PageScene[],
  write: (name: string, png: Buffer) => void,
): Promise<void> {
  if (scenes.length === 0) return;
  const browser: Browser = await startChromium();
  try {
    for (const { name, height, play, prepare } of scenes) {
      await pane.clear();
      const { url, close } = await play(pane);
      const page = await browser.newPage({
        viewport: { width, height: height ?? width },
        colorScheme: 'light',
      });
      await page.goto(url);
      await prepare?.(page);
      write(name, await page.screenshot({ fullPage: height === undefined }));
      await page.close();
      await close();
    }
  } finally {
    await browser.close();
  }
}
