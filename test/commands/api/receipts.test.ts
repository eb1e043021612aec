import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openOffice } from '../office.ts';

type Answer = Parameters<typeof fakeReply>[0];

/** Runs `ucctl api` against a server that gives this answer to every request that is not a sign-in. */
async function answered(words: string, answer: Answer) {
  const asked: string[] = [];
  const { run } = await openOffice('administrator', (real) => (request) => {
    if (request.url.pathname.startsWith('/restapi/oauth/')) return real(request);
    asked.push(request.method);
    return Promise.resolve(fakeReply(answer));
  });
  const { exit, stdout, stderr } = await run(`api ${words}`);
  return { exit, stdout, stderr, asked };
}

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };

describe('ucctl api and the reply to a change', () => {
  it.each([
    [
      'POST account/~/things -f name=x',
      { status: 200, body: { login: 'https://wifi.example' }, headers: json },
    ],
    ['PUT account/~/things/5 -f name=x', { status: 200, body: {}, headers: json }],
    ['PATCH account/~/things/5 -f name=x', { status: 200, body: { message: 'no' }, headers: json }],
    ['DELETE account/~/things/5', { status: 200, body: { login: 'x' }, headers: json }],
    ['PUT account/~/things/5 -f name=x', { status: 200, body: Buffer.from('<p>hi'), headers: html }],
    ['POST account/~/things -f login=1', { status: 200, body: { login: 1 }, headers: json }],
    ['POST account/~/things -f text=a', { status: 200, body: { error: 'x', text: 'a' }, headers: json }],
    ['PUT account/~/things/5 -f name=x', { status: 200, body: { id: 5 }, headers: html }],
    ['POST subscription -f eventFilters[]=x', { status: 202, body: { id: 'c1' }, headers: json }],
    [
      'PUT account/~/extension/~/presence -f userStatus=Busy',
      { status: 200, body: { userStatus: 'Available' }, headers: json },
    ],
    ['POST account/~/things -f name=x -i', { status: 202, body: {}, headers: json }],
    [
      'POST account/~/telephony/sessions/s-1/parties/p-1/transfer -f phoneNumber=+16505550112 --yes',
      { status: 200, body: {}, headers: json },
    ],
  ] as const)(
    '%s answered with %j has an unknown outcome, and the reply is shown once',
    async (words, answer) => {
      const { exit, stdout, stderr, asked } = await answered(words, answer);
      expect([exit, asked.length]).toEqual([14, 1]);
      const body = Buffer.isBuffer(answer.body) ? answer.body.toString() : JSON.stringify(answer.body);
      expect(stdout.split(body)).toHaveLength(2);
      expect(stderr).toContain('outcome_unknown');
    },
  );

  it('ends with 0 after a plausible reply, also without the content type of JSON', async () => {
    const reply = { status: 200, body: { id: 'p-1', status: { code: 'Hold' } } };
    const { exit, stdout } = await answered('POST account/~/telephony/sessions/s/parties/p/hold', reply);
    expect([exit, JSON.parse(stdout)]).toEqual([0, reply.body]);
    const odd = { ...reply, headers: { 'content-type': 'application/octet-stream' } };
    expect((await answered('POST account/~/telephony/sessions/s/parties/p/hold', odd)).exit).toBe(0);
  });

  it('ends with 0 if the path contains percent-encoding that is not UTF-8', async () => {
    const { exit, asked } = await answered('PUT account/~/things/M%FCller -f name=x', {
      status: 200,
      body: { id: 5, name: 'x' },
      headers: json,
    });
    expect([exit, asked.length]).toEqual([0, 1]);
  });

  it.each([
    [[200, 200], 0, ''],
    [[200, 404], 8, '6: HTTP 404'],
    [[404, 403], 1, '6: HTTP 403'],
    [[200], 14, '6: not in the reply'],
  ] as const)('reports the answers %j for two resources with exit code %i', async (statuses, code, line) => {
    const body = statuses.map((status, index) => ({
      resourceId: String(5 + index),
      status,
      body: status === 200 ? { id: 5 + index } : { errorCode: 'CMN-102', message: 'no' },
    }));
    const { exit, stdout, stderr } = await answered(
      'PUT account/~/extension/~/message-store/5,6 -f readStatus=Read',
      { status: 207, body, headers: json },
    );
    expect([exit, JSON.parse(stdout)]).toEqual([code, body]);
    expect(stderr).toContain(line);
  });

  it('prints the parts of a reply of the type multipart/mixed', async () => {
    const text =
      '--b\r\n\r\n{"response":[{"href":"/x/5","status":200},{"href":"/x/6","status":200}]}\r\n--b\r\n\r\n{"id":5}\r\n--b\r\n\r\n{"id":6}\r\n--b--';
    const { exit, stdout } = await answered(
      'PUT account/~/extension/~/message-store/5,6 -f readStatus=Read',
      {
        status: 207,
        body: Buffer.from(text),
        headers: { 'content-type': 'multipart/mixed; boundary=b' },
      },
    );
    expect([exit, stdout.includes('{"id":6}')]).toEqual([0, true]);
  });

  it('rejects an HTML page as the reply to a read', async () => {
    const { exit, stdout, stderr } = await answered('account/~/things', {
      status: 200,
      body: Buffer.from('<html>sign in</html>'),
      headers: html,
    });
    expect([exit, stdout]).toEqual([1, '']);
    expect(stderr).toContain('bad_reply');
  });
});

describe('a change without any reply', () => {
  /**
   * The exit code and the error of a command whose requests, other than of the sign-in and reads of messages, never get
   * a reply.
   */
  async function unanswered(words: string) {
    const { run } = await openOffice('administrator', (real) => (request) => {
      const { pathname, origin } = request.url;
      const readsMessage = request.method === 'GET' && pathname.includes('/message-store/');
      if (readsMessage || pathname.startsWith('/restapi/oauth/token')) return real(request);
      return Promise.reject(new ConnectionError('ECONNRESET', 'unknown', origin, undefined));
    });
    const { exit, stderr } = await run(`${words} --retry 0 -o json`);
    return { exit, stderr };
  }

  it.each([
    'api PUT account/~/extension/~/presence -f message=away --yes',
    'api DELETE account/~/things/5 --yes',
    'message read 5',
    'message restore 5',
  ])('(%s) has an unknown outcome, as with POST', async (words) => {
    const { exit, stderr } = await unanswered(words);
    expect([exit, JSON.parse(stderr)]).toMatchObject([
      14,
      {
        error: {
          code: 'outcome_unknown',
          message: expect.stringMatching(/\(ECONNRESET\); the service may have made the change$/),
        },
      },
    ]);
  });

  it('is a network error if the request changes nothing', async () => {
    expect((await unanswered('api account/~/things')).exit).toBe(7);
  });
});
