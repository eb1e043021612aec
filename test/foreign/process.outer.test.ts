import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SDK } from '@ringcentral/sdk';
import { startUcctl } from '../support/process.ts';
import { startForeignServer } from './server.ts';
import { catalogue } from './service/disallowed.ts';
import { free, plain } from './service/make.ts';
import { idText, otherTelephone } from './service/world.ts';

const send = ['sms', 'send', '--from', '+16505550101', '--to', otherTelephone, 'hi', '--yes', '-o', 'json'];

/** The built program with a separate home. */
async function withProgram(
  url: string,
  test: (run: (words: readonly string[]) => ReturnType<typeof startUcctl>['ended']) => Promise<void>,
): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'ucctl-foreign-'));
  const env = { HOME: home, UCCTL_BASE_URL: url, UCCTL_TOKEN: 'token-of-the-harness', UCCTL_STORE: 'file' };
  try {
    await test((words) => startUcctl(words, { env }).ended);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

it('the built program reads and writes over a real connection, whatever the framing and compression of replies', async () => {
  for (const seed of [1, 2]) {
    await using server = await startForeignServer({ seed, now: Date.now(), how: free });
    await withProgram(server.url, async (run) => {
      expect(await run(['queue', 'members', '201', '-o', 'json'])).toMatchObject({ exit: 0, stderr: '' });
      expect(await run(send)).toMatchObject({ exit: 0 });
    });
  }
});

it('the built program accepts no web page as a receipt', async () => {
  const portal = catalogue.find(({ name }) => name === 'a captive portal');
  const mischief = ({ operation }: { readonly operation: string }) =>
    operation === 'sendSms' ? portal : undefined;
  await using server = await startForeignServer({ seed: 3, now: Date.now(), mischief });
  await withProgram(server.url, async (run) => {
    expect(await run(send)).toMatchObject({ exit: 14, stdout: '' });
    const { stdout } = await run(['outcome', 'list', '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject([{ state: 'unknown' }]);
  });
});

it("the vendor's own client reads the foreign service, so that the harness is known to be realistic", async () => {
  await using server = await startForeignServer({ seed: 4, now: Date.now(), how: plain });
  const sdk = new SDK({ server: server.url, clientId: 'client', clientSecret: 'secret' });
  await sdk.login({ jwt: 'an assertion' });
  const list = (await (await sdk.get('/restapi/v1.0/account/~/extension')).json()) as {
    readonly records: readonly { readonly extensionNumber: string }[];
  };
  expect(list.records.map(({ extensionNumber }) => extensionNumber)).toContain('201');
  const ids = server.service.world.messages.slice(0, 2).map(({ value }) => idText(value['id']));
  const reply = await sdk.get(`/restapi/v1.0/account/~/extension/~/message-store/${ids.join(',')}`);
  expect(await sdk.multipart(reply)).toHaveLength(2);
});
