import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { createUndiciHttp } from '../../src/client/undici-http.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { eventually } from '../support/eventually.ts';
import { runUcctl, type RunOptions, type RunResult } from '../support/run-ucctl.ts';
import { signInAs } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { endPages, openPage, webhookSettings, type Window } from './page.ts';

/** The number of a party outside the company. */
export const outside = '+14155550142';
/** A text that would change the page if it were not escaped. */
export const hostile = '</script><img src=x onerror=alert(1)><b>bold</b>\u202e\u0007';

/** A profile that is signed in to a sandbox, and `ucctl console` of this profile. */
export interface ProfileConsole {
  readonly sandbox: Sandbox;
  /** Address of the page with its token. */
  readonly url: string;
  /** Runs a command of the same profile, which must succeed. Returns the JSON of stdout. */
  readonly ucctl: (argv: readonly string[], options?: RunOptions) => Promise<unknown>;
  /** Runs a command of the same profile. */
  readonly run: (argv: string | readonly string[], options?: RunOptions) => Promise<RunResult>;
  /** Opens the page, or a place in it. */
  readonly open: (window?: Window) => Promise<Page>;
  /** Sends a request with the token of the page. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  /** Everything that a page reported: messages of the console, errors and requests to other servers. */
  readonly problems: string[];
  /** Ends `ucctl console` as Ctrl-C does. */
  readonly end: () => Promise<RunResult>;
}

interface Options {
  readonly flags?: readonly string[];
  readonly sandbox?: SandboxOptions;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Waits of `ucctl console`, such as the pauses between two attempts. */
  readonly sleep?: RunOptions['sleep'];
  /** The clock of `ucctl console`. */
  readonly now?: () => number;
}

export async function openProfile(
  browser: Browser | undefined,
  { flags = [], sandbox: more, env: added = {}, sleep, now }: Options = {},
): Promise<ProfileConsole> {
  const folder = temporaryFolder();
  const paths = { config: folder, state: join(folder, 'state'), cache: folder, data: folder };
  const sandbox = await startSandbox({ ...more, settings: { ...webhookSettings, ...more?.settings } });
  onTestFinished(() => sandbox.close());
  const network = createUndiciHttp();
  onTestFinished(() => network.close());
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: await signInAs(sandbox, '100'), ...added };
  const run = (argv: string | readonly string[], options: RunOptions = {}): Promise<RunResult> =>
    runUcctl(argv, { paths, env, sandbox: { http: network.send }, ...options });
  const problems: string[] = [];
  const { url, end } = await startConsole(run, flags, { ...(sleep && { sleep }), ...(now && { now }) });
  // The last is called first: pages are closed while ucctl still replies.
  if (browser) onTestFinished((test) => endPages(browser, test, problems));
  const token = new URL(url).hash.slice(1);
  return {
    sandbox,
    url,
    run,
    end,
    problems,
    async ucctl(argv, options) {
      const { exit, stdout, stderr } = await run([...argv, '-o', 'json'], options);
      if (exit !== 0) throw new Error(`ucctl ${argv.join(' ')} ended with ${exit}: ${stderr}`);
      return stdout.trim() === '' ? undefined : JSON.parse(stdout);
    },
    async open({ place = '', ...window } = {}) {
      if (!browser) throw new Error('this test has no browser');
      const page = await openPage(browser, url, problems, window);
      if (place !== '') await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      return page;
    },
    ask: (path, init = {}) => fetch(new URL(path, url), { ...init, headers: { 'ucctl-token': token } }),
  };
}

/** Starts `ucctl console` and waits until it prints its address. */
async function startConsole(
  run: ProfileConsole['run'],
  flags: readonly string[],
  options: RunOptions,
): Promise<Pick<ProfileConsole, 'url' | 'end'>> {
  const stop = new AbortController();
  const pieces: string[] = [];
  const result = run(['console', '--no-open', '-o', 'ndjson', ...flags], {
    signal: stop.signal,
    ...options,
    onStdout: (piece) => {
      pieces.push(piece);
    },
  });
  const end = (): Promise<RunResult> => {
    stop.abort(new Error('interrupted'));
    return result;
  };
  onTestFinished(async () => void (await end()));
  const failed = result.then(({ exit, stderr }) => {
    throw new Error(`ended with ${exit} before it was ready: ${stderr}`);
  });
  failed.catch(() => undefined);
  const ready = eventually(() => JSON.parse(pieces.join('')) as { readonly url: string });
  const { url } = await Promise.race([failed, ready]);
  return { url, end };
}

/** Messages of the signed-in user, copied with their attachments. */
export async function copyMessages({ sandbox, ucctl }: ProfileConsole): Promise<void> {
  const from = outside;
  await sandbox.control('POST', '/triggers/sms', { to: '100', from, text: 'Is the blue lamp in stock?' });
  await sandbox.control('POST', '/triggers/sms', { to: '100', from: '+14155550177', text: hostile });
  await sandbox.control('POST', '/triggers/voicemail', { to: '100', from, transcription: 'Call me back' });
  await sandbox.control('POST', '/triggers/fax', { to: '100', from });
  await ucctl(['sync', '--media']);
}

/** Copies messages, writes a reply to one of them, and opens the confirmation. */
export async function writeReply(profile: ProfileConsole) {
  await copyMessages(profile);
  const page = await profile.open({ place: '#/messages' });
  await page.getByRole('list', { name: 'Conversations' }).getByText('blue lamp').click();
  const field = page.getByLabel('Reply', { exact: true });
  await field.fill('Yes, three of them.');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Send this message?' });
  // Until the preview has arrived, keys still go to the field.
  await dialog.waitFor();
  return { page, field, dialog };
}

/** Calls of two extensions, copied. One is answered. */
export async function copyCalls({ sandbox, ucctl }: ProfileConsole): Promise<void> {
  // The calls start now and end in the future, because the clock of ucctl cannot advance.
  await sandbox.control('POST', '/clock', { mode: 'frozen' });
  for (const to of ['102', '102', '103'])
    await sandbox.control('POST', '/triggers/call', { to, from: outside });
  await sandbox.control('POST', '/clock/advance', { seconds: 600 });
  await ucctl(['calllog', 'sync']);
}
