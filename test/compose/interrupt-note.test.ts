import { expect, it } from 'vitest';
import { Interrupted } from '../../src/errors/interrupted.ts';
import { exampleNoun } from '../support/example-noun.ts';
import { fakeReply } from '../support/fake-service.ts';
import { runUcctl } from '../support/run-ucctl.ts';

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly terminal: boolean | number;
  /** Whether the reply arrives only after the wait before the note. */
  readonly isSlow: boolean;
  /** Whether Ctrl-C aborts the request. */
  readonly isAborted?: boolean;
}

/** Sends a request, and presses Ctrl-C before its reply arrives. @returns stderr */
async function interrupted({ method, terminal, isSlow, isAborted = false }: Sent): Promise<string> {
  const interrupt = new AbortController();
  let proceed = (): void => undefined;
  const replied = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const url = new URL('https://service.example/sms');
  const noun = exampleNoun({
    work: async (ctx) => {
      const http = await ctx.http();
      const signal = isAborted ? ctx.signal : undefined;
      await http({ method, url, headers: {}, body: undefined, timeoutMilliseconds: 30_000, signal });
      // The note is written after the wait.
      await new Promise(setImmediate);
    },
  });
  const http = async () => {
    interrupt.abort(new Interrupted('SIGINT'));
    if (!isSlow || !terminal || isAborted) proceed();
    await replied;
    return fakeReply({ status: 200 });
  };
  const { stderr } = await runUcctl('book list', {
    nouns: [noun],
    sandbox: { http },
    terminal,
    signal: interrupt.signal,
    onStderr: proceed,
    sleep: async (_, signal) => {
      if (isSlow) return;
      await replied;
      await new Promise(setImmediate);
      signal.throwIfAborted();
    },
  });
  return stderr;
}

it.each([
  ['GET', ''],
  ['POST', ', although the request may have taken effect'],
] as const)(
  'after Ctrl-C a note names the second Ctrl-C while a %s waits for its reply',
  async (method, end) => {
    expect(await interrupted({ method, terminal: 200, isSlow: true })).toBe(
      `Waiting for up to 30 s for the reply of service.example. Press Ctrl-C again to exit without the reply${end}.\n`,
    );
  },
);

it.each([
  ['without a terminal', { terminal: false, isSlow: true }],
  ['if the reply arrives at once', { terminal: true, isSlow: false }],
  ['if Ctrl-C aborts the request', { terminal: true, isSlow: true, isAborted: true }],
])('no note is written %s', async (_, how) => {
  expect(await interrupted({ method: 'POST', ...how })).toBe('');
});
