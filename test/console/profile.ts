import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { createUndiciHttp } from '../../src/client/undici-http.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { eventually } from '../support/eventually.ts';
import { runUcctl, type RunOptions, type RunResult } from '../support/run-ucctl.ts';
import { signInAs } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { endPages, openPage, type Window } from './page.ts';

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
  readonly env?: Readonly<Record<string, string>>;
  /** Waits of `ucctl console`, such as the pauses between two attempts. */
  readonly sleep?: RunOptions['sleep'];
}

export async function openProfile(
  browser: Browser | undefined,
  { flags = [], sandbox: more, env: added = {}, sleep }: Options = {},
): Promise<ProfileConsole> {
  const folder = temporaryFolder();
  const paths = { config: folder, state: join(folder, 'state'), cache: folder, data: folder };
  const sandbox = await startSandbox({ settings: { webhookEncryption: 'never' }, ...more });
  onTestFinished(() => sandbox.close());
  const network = createUndiciHttp();
  onTestFinished(() => network.close());
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: await signInAs(sandbox, '100'), ...added };
  const run = (argv: string | readonly string[], options: RunOptions = {}): Promise<RunResult> =>
    runUcctl(argv, { paths, env, sandbox: { http: network.send }, ...options });
  const problems: string[] = [];
  if (browser) onTestFinished((test) => endPages(browser, test, problems));
  const { url, end } = await startConsole(run, flags, sleep);
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
  sleep: RunOptions['sleep'],
): Promise<Pick<ProfileConsole, 'url' | 'end'>> {
  const stop = new AbortController();
  const pieces: string[] = [];
  const result = run(['console', '--no-open', '-o', 'ndjson', ...flags], {
    signal: stop.signal,
    ...(sleep && { sleep }),
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
