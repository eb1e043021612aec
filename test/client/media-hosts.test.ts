import { describe, expect, it } from 'vitest';
import { buildClient, dialects } from '../../src/client/index.ts';
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
    ['http://media.example.com/1', 'https://platform.example.com', false],
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
