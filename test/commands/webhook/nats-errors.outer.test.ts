import { describe, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { natsMissing, testNats } from '../../support/nats.ts';
import { suitable, testClient } from '../../support/nats-stream.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';
import { live } from './listening.ts';

const users = `no_auth_user: owner
authorization { users = [
  { user: owner, password: "o" },
  { user: reader, password: "r", permissions: { publish: ["$JS.API.INFO", "$JS.API.STREAM.INFO.*"], subscribe: ["_INBOX.>"] } },
  { user: writer, password: "w", permissions: { publish: [
    "ucctl.EVENTS.>", "$JS.API.INFO", "$JS.API.STREAM.INFO.EVENTS", "$JS.API.STREAM.MSG.GET.EVENTS", "$JS.API.STREAM.CREATE.EVENTS"
  ], subscribe: ["_INBOX.>"] } },
  { user: nobody, password: "n", permissions: { publish: ["other"], subscribe: ["_INBOX.>"] } },
] }`;
const reader = { NATS_USER: 'reader', NATS_PASSWORD: 'r' };

/** The error of a receiver, as JSON. */
async function errorOf(url: string, env: Readonly<Record<string, string>> = {}) {
  const office = await openOffice();
  const { exit, stderr } = await office.run(
    `webhook listen --no-subscribe --path /hook --sink ${url} -o json`,
    { env },
  );
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
    readonly error: Readonly<Record<'code' | 'message' | 'hint', string>> & { readonly retryable?: boolean };
  };
  return { exit, ...error };
}

describe.skipIf(natsMissing())('a stream that ucctl cannot use', () => {
  it('on a server that does not run', async () => {
    const port = await freePort();
    expect(await errorOf(`nats://127.0.0.1:${port}/EVENTS`)).toMatchObject({
      exit: 12,
      code: 'nats_not_usable',
      message: `cannot use NATS at 127.0.0.1:${port}: connection refused`,
      hint: 'check the address, and start the server: nats-server -js',
      retryable: true,
    });
  });

  it('for a user that the server does not know', async () => {
    const server = await testNats(users);
    const env = { NATS_USER: 'owner', NATS_PASSWORD: 'wrong horse' };
    expect(await errorOf(`${server.url}/EVENTS`, env)).toMatchObject({
      exit: 12,
      message: expect.stringContaining('the server rejects the sign-in') as string,
      hint: 'set NATS_USER and NATS_PASSWORD, NATS_TOKEN or NATS_CREDS to a user of this server',
    });
  });

  it('with a file of credentials that does not exist', async () => {
    const server = await testNats(users);
    const file = `${temporaryFolder()}/none`;
    for (const name of ['NATS_CREDS', 'NATS_CA'])
      expect(await errorOf(`${server.url}/EVENTS`, { [name]: file })).toMatchObject({
        exit: 12,
        message: expect.stringContaining(`cannot read the file of ${name}`) as string,
        hint: `set ${name} to a file that ucctl can read`,
      });
  });

  it('for a user who may only read, whether the stream exists or not', async () => {
    const server = await testNats(users);
    expect(await errorOf(`${server.url}/EVENTS`, reader)).toMatchObject({
      exit: 12,
      message: 'stream EVENTS does not exist, and the user may not create streams',
      hint: 'use an existing stream, or permit the user to publish to "$JS.API.STREAM.CREATE.EVENTS"',
    });
    const client = await testClient(server);
    await client.manager.streams.add(suitable('EVENTS'));
    expect(await errorOf(`${server.url}/EVENTS`, reader)).toMatchObject({
      exit: 12,
      message: expect.stringContaining('the user may not publish to "ucctl.EVENTS.-.check"') as string,
      hint: expect.stringContaining('use another user') as string,
    });
    expect(await client.messages('EVENTS')).toEqual([]);
  });

  it('can be used by a user with the documented permissions', async () => {
    const server = await testNats(users);
    const office = await openOffice();
    const env = { NATS_USER: 'writer', NATS_PASSWORD: 'w' };
    const receiver = await live(
      office,
      `webhook listen --no-subscribe --path /hook --sink ${server.url}/EVENTS`,
      { env },
    );
    const body = JSON.stringify({ uuid: 'u1', event: '/restapi/v1.0/account/~/presence', body: {} });
    expect((await fetch(receiver.ready.address, { method: 'POST', body })).status).toBe(200);
    expect(await (await testClient(server)).messages('EVENTS')).toHaveLength(1);
  });

  it('for a user without permissions for JetStream', async () => {
    const server = await testNats(users);
    const env = { NATS_USER: 'nobody', NATS_PASSWORD: 'n' };
    expect(await errorOf(`${server.url}/EVENTS`, env)).toMatchObject({
      exit: 12,
      message: expect.stringContaining('the user may not publish to "$JS.API.INFO"') as string,
    });
  });

  it('because another stream stores its subjects', async () => {
    const server = await testNats();
    const client = await testClient(server);
    await client.manager.streams.add({ name: 'ALL', subjects: ['ucctl.>'] });
    expect(await errorOf(`${server.url}/EVENTS`)).toMatchObject({
      exit: 11,
      code: 'stream_differs',
      message: 'stream EVENTS cannot be created, because stream ALL stores the subjects "ucctl.EVENTS.>"',
      hint: 'use another stream name, or remove these subjects from the other stream',
    });
  });

  it('because a single server cannot have replicas', async () => {
    const server = await testNats();
    expect(await errorOf(`${server.url}/EVENTS?replicas=3`)).toMatchObject({
      exit: 12,
      hint: expect.stringContaining('use a smaller number in ?replicas=N') as string,
    });
  });

  it('because somebody deleted it, is reported, and events are not acknowledged', async () => {
    const server = await testNats();
    const client = await testClient(server);
    const office = await openOffice();
    const receiver = await live(
      office,
      `webhook listen --no-subscribe --path /hook --sink ${server.url}/EVENTS`,
    );
    await client.manager.streams.delete('EVENTS');
    const body = JSON.stringify({ uuid: 'u1', event: '/restapi/v1.0/account/~/presence', body: {} });
    const { status } = await fetch(receiver.ready.address, { method: 'POST', body });
    expect(status).toBe(503);
    receiver.interrupt();
    expect((await receiver.result).stderr).toContain('if the stream was deleted, restart ucctl');
  });
});
