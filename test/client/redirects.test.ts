import { describe, expect, it } from 'vitest';
import type { HttpRequest, HttpSend } from '../../src/client/http.ts';
import { sendFollowing } from '../../src/client/redirects.ts';
import { ReplyError } from '../../src/errors/service.ts';
import { fakeReply, type FakeAnswer } from '../support/fake-service.ts';

type Reply = Exclude<FakeAnswer, Error>;

const to = (location: string, status = 302): Reply => ({ status, headers: { location } });
const ok: Reply = { status: 200 };

/** Sends a request to the first URL. Returns the result, the requests and the number of discarded replies. */
async function follow(url: string, answers: readonly Reply[], more: Partial<HttpRequest> = {}) {
  const sent: HttpRequest[] = [];
  let discarded = 0;
  const http: HttpSend = async (request) => {
    const reply = fakeReply(answers[sent.push(request) - 1] ?? ok);
    return { ...reply, discard: async () => void (discarded += 1) };
  };
  const headers = {
    authorization: 'Bearer canary',
    cookie: 'canary',
    'x-trace': '7',
    Accept: '*/*',
    'accept-encoding': 'identity',
    'accept-language': 'de',
    'user-agent': 'test',
    range: 'bytes=1-',
    'if-range': '"1"',
  };
  const request = { method: 'GET', url: new URL(url), headers, timeoutMilliseconds: 1000, ...more };
  const result = await sendFollowing(http, request).catch((error: unknown) => error);
  return { result, sent, urls: sent.map((one) => one.url.href), discarded };
}

const forwarded = ['Accept', 'accept-encoding', 'accept-language', 'user-agent', 'range', 'if-range'];

describe('a redirect of a GET', () => {
  it.each([301, 302, 303, 307, 308])('with status %i is followed', async (status) => {
    const { result, urls, discarded } = await follow('https://a.test/x', [to('/y', status), ok]);
    expect(result).toMatchObject({ status: 200 });
    expect([urls, discarded]).toEqual([['https://a.test/x', 'https://a.test/y'], 1]);
  });

  it.each([
    ['without a location', { status: 302 }],
    ['with another status', to('/y', 304)],
  ])('%s is returned', async (_, answer) => {
    const { result, sent, discarded } = await follow('https://a.test/x', [answer]);
    expect(result).toMatchObject({ status: answer.status });
    expect([sent.length, discarded]).toEqual([1, 0]);
  });

  it('is followed five times', async () => {
    const redirects = Array.from({ length: 6 }, () => to('/y'));
    expect((await follow('https://a.test/x', redirects.slice(1))).result).toMatchObject({ status: 200 });
    const { result, sent, discarded } = await follow('https://a.test/x', redirects);
    expect(result).toMatchObject({ name: 'ReplyError', what: 'more than 5 redirects' });
    expect([sent.length, discarded]).toEqual([6, 6]);
  });

  it('is relative to the URL that sent it', async () => {
    const { urls } = await follow('https://a.test/x', [to('https://b.test/dir/y'), to('z'), ok]);
    expect(urls.at(-1)).toBe('https://b.test/dir/z');
  });

  it.each([
    ['https://b.test/y', 'https://a.test/x'],
    ['https://a.test:8443/y', 'https://a.test/x'],
    ['https://127.0.0.1:8080/y', 'http://127.0.0.1:8080/x'],
  ])('to %s sends neither the token nor headers of the caller, also back at %s', async (other, first) => {
    const back = new URL('/z', other).href;
    const { sent } = await follow(first, [to(other), to(back), ok]);
    for (const { headers } of sent.slice(1)) expect(Object.keys(headers)).toEqual(forwarded);
    const returned = await follow('https://a.test/x', [to('https://b.test/y'), to('https://a.test/z'), ok]);
    expect(Object.keys(returned.sent[2]?.headers ?? {})).toEqual(forwarded);
  });

  it('to another origin reports 401 there, also after a further redirect', async () => {
    const answers = [to('https://b.test/y'), to('/z'), { status: 401 }];
    const { result, discarded } = await follow('https://a.test/x', answers);
    expect(result).toBeInstanceOf(ReplyError);
    expect(result).toMatchObject({ what: 'HTTP 401 from b.test, the target of a redirect' });
    expect(discarded).toBe(3);
  });

  it.each([
    ['from https to http', ['https://a.test/x', 'http://a.test/y']],
    ['from https to http on this machine', ['https://a.test/x', 'http://127.0.0.1/y']],
    ['from https to http after a redirect', ['http://127.0.0.1/x', 'https://b.test/y', 'http://127.0.0.1/z']],
    ['from http on this machine to http elsewhere', ['http://127.0.0.1/x', 'http://b.test/y']],
    ['to another protocol', ['http://127.0.0.1/x', 'ftp://127.0.0.1/y']],
    ['to a URL with a user name', ['https://a.test/x', 'https://user@b.test/y']],
    ['to a URL with a password', ['https://a.test/x', 'https://:canary@b.test/y']],
  ])('%s is not followed', async (_, [first = '', ...targets]) => {
    const { result, sent } = await follow(
      first,
      targets.map((target) => to(target)),
    );
    expect(result).toMatchObject({ name: 'ReplyError', status: 302, isForeign: true });
    expect(String(result)).not.toContain('canary');
    expect(sent).toHaveLength(targets.length);
  });
});

it('a redirect of a POST is returned', async () => {
  const { result, sent } = await follow('https://a.test/x', [to('/y')], { method: 'POST' });
  expect([(result as Reply).status, sent.length]).toEqual([302, 1]);
});
