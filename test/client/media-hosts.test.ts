import { describe, expect, it } from 'vitest';
import { buildClient, dialects } from '../../src/client/index.ts';
import { UntrustedHostError } from '../../src/errors/service.ts';
import { deferred } from '../support/deferred.ts';
import { eventually } from '../support/eventually.ts';
import { fakeService, plainSettings, type FakeAnswer } from '../support/fake-service.ts';

describe('media hosts that are not listed', () => {
  const denied = { status: 401, body: { errorCode: 'OAU-123', message: 'no token' } };
  const openAt = (
    uri: string,
    baseUrl: string,
    answers: readonly FakeAnswer[],
    more: Partial<Parameters<typeof buildClient>[0]>,
  ) => {
    const { http, asked } = fakeService(answers);
    const client = buildClient({ ...plainSettings, baseUrl: new URL(baseUrl), http, ...more });
    return { client, asked, opened: client.media.open(uri) };
  };

  it.each([
    ['https://media.example.com/1', 'https://platform.example.com', true],
    ['https://media.shop.co.uk/1', 'https://platform.shop.co.uk', true],
    ['https://media.example.com:8443/1', 'https://platform.example.com', false],
    ['https://media.other.co.uk/1', 'https://platform.shop.co.uk', false],
    ['https://other.github.io/1', 'https://service.github.io', false],
    ['https://other.azurefd.net/1', 'https://service.azurefd.net', false],
    ['https://media.service.azurefd.net/1', 'https://api.service.azurefd.net', true],
    ['https://other.appspot.com/1', 'https://service.appspot.com', false],
    ['https://other.nsw.gov.au/1', 'https://service.qld.gov.au', false],
    ['https://example.com.other.test/1', 'https://platform.example.com', false],
    ['https://192.0.2.7/1', 'https://192.0.3.7', false],
  ])('in dialect current %s of %s gets the token: %s; in dialect spec never', async (uri, base, isSent) => {
    for (const [dialect, expected] of [
      [dialects.current, isSent],
      [dialects.spec, false],
    ] as const) {
      const { asked, opened } = openAt(uri, base, [{ status: 200, body: 'x' }], { dialect });
      await opened;
      expect(asked[0]?.headers['authorization'] !== undefined).toBe(expected);
    }
  });

  it.each([401, 403])('that reply %i are asked for, because the file needs a token', async (status) => {
    const answers = [
      { status, body: {} },
      { status: 200, body: 'x' },
    ];
    const { asked, opened } = openAt('https://files.test/1', 'https://service.example', answers, {
      allowMediaHost: () => Promise.resolve(true),
    });
    await opened;
    expect(asked.map(({ headers }) => headers['authorization'])).toEqual([undefined, 'Bearer token']);
  });

  it('are never asked for if the token would be sent without encryption', async () => {
    const questions: string[] = [];
    const { asked, opened } = openAt('http://127.0.0.1:9/1', 'https://service.example', [denied], {
      allowMediaHost: async (host) => questions.push(host) > 0,
    });
    await expect(opened).rejects.toBeInstanceOf(UntrustedHostError);
    expect([questions, asked.length]).toEqual([[], 1]);
  });

  it.each([
    ['http://media.example.com/1', 'https://platform.example.com'],
    ['http://files.test/1?key=secret', 'http://127.0.0.1:8080'],
    ['//files.test/1', 'http://127.0.0.1:8080'],
    ['http://127.0.0.1.files.test/1', 'http://127.0.0.1:8080'],
  ])('get no request at all for %s of %s, which is plain http', async (uri, baseUrl) => {
    const mediaHosts = [new URL(uri, baseUrl).host];
    const { asked, opened } = openAt(uri, baseUrl, [{ status: 200, body: 'x' }], { mediaHosts });
    const error = await opened.then(String, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(RangeError);
    const { origin } = new URL(uri, baseUrl);
    expect((error as Error).message).toBe(
      `ucctl requests content only over https, or over http from this machine, and not from ${origin}`,
    );
    expect(asked).toEqual([]);
  });

  it('are asked for once by parallel downloads', async () => {
    const questions: string[] = [];
    const answer = deferred();
    const { client, asked, opened } = openAt(
      'https://files.test/1',
      'https://service.example',
      [denied, denied, { status: 200, body: 'x' }],
      {
        allowMediaHost: async (host) => {
          questions.push(host);
          await answer.promise;
          return true;
        },
      },
    );
    const second = client.media.open('https://files.test/2');
    await eventually(() => expect(asked).toHaveLength(2));
    answer.resolve();
    await Promise.all([opened, second]);
    expect(questions).toEqual(['files.test']);
  });

  it('are not the reason why the user may not read a file of the service', async () => {
    const rejected = { status: 403, body: { errorCode: 'CMN-408', message: 'no permission' } };
    const { asked, opened } = openAt('https://service.example/1', 'https://service.example', [rejected], {
      allowMediaHost: () => Promise.resolve(true),
    });
    await expect(opened).rejects.toMatchObject({ name: 'ApiError', status: 403 });
    expect(asked).toHaveLength(1);
  });

  it('are allowed once for each host, and the request is repeated with the token', async () => {
    const questions: string[] = [];
    const allowMediaHost = (host: string) => {
      questions.push(host);
      return Promise.resolve(true);
    };
    const uri = 'https://files.test/1';
    const answers = [denied, { status: 200, body: 'x' }];
    const { client, asked, opened } = openAt(uri, 'https://service.example', answers, { allowMediaHost });
    await opened;
    await client.media.open(uri);
    expect(questions).toEqual(['files.test']);
    expect(asked.map(({ headers }) => headers['authorization'])).toEqual([
      undefined,
      'Bearer token',
      'Bearer token',
    ]);
  });

  it('are rejected without an answer, and the error names the command with the hosts that are listed', async () => {
    const { opened } = openAt('https://files.test/1', 'https://service.example', [denied], {
      allowMediaHost: () => Promise.resolve(false),
      mediaHosts: ['media.test'],
    });
    await expect(opened).rejects.toMatchObject({
      host: 'files.test',
      remedy: { ucctl: 'config set media-hosts media.test,files.test' },
    });
  });
});
