import type { HttpReply, HttpRequest, HttpSend } from '../../src/client/index.ts';
import type { Timing } from '../../src/client/timing.ts';

export type FakeAnswer =
  | Error
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> };

/** A network that answers from a list, repeats the last answer, and records the requests. */
export function fakeService(answers: readonly FakeAnswer[]) {
  const asked: HttpRequest[] = [];
  const http: HttpSend = (request) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(request);
    if (!answer) throw new Error('no answer is left');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(fakeReply(answer));
  };
  return { http, asked };
}

export function fakeReply({ status, body, headers = {} }: Exclude<FakeAnswer, Error>): HttpReply {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(body === undefined ? '' : JSON.stringify(body));
  return {
    status,
    header: (name) => headers[name],
    headers,
    text: () => Promise.resolve(Buffer.from(bytes).toString('utf8')),
    async *bytes() {
      yield bytes;
    },
    discard: () => Promise.resolve(),
  };
}

/** A clock that advances only when someone sleeps, and constant random numbers. */
export function fakeTiming(start = 1_800_000_000_000, chance = 1): Timing & { readonly slept: number[] } {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: (milliseconds, signal) => {
      signal?.throwIfAborted();
      slept.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
    random: () => chance,
  };
}

/** Settings of a transport that the test does not depend on. */
export const plainSettings = {
  baseUrl: new URL('https://service.example'),
  tokens: { current: () => Promise.resolve('token'), renew: () => Promise.resolve('newer') },
  userAgent: 'test',
  timeoutMilliseconds: 1000,
} as const;
