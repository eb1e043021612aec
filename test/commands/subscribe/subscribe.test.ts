import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { openOffice, type Office } from '../office.ts';

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const done of cleanup.splice(0)) await done();
});

/** An address that passes the handshake. */
async function receiver(): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader('validation-token', request.headers['validation-token'] ?? '');
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`;
}

async function create(office: Office, flags = '--events messages'): Promise<Record<string, unknown>> {
  const { stdout } = await office.run(`subscribe create --address ${await receiver()} ${flags} -o json`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('subscribe create', () => {
  it('subscribes by short names, for several extensions', async () => {
    const office = await openOffice();
    const made = await create(
      office,
      '--events messages,presence:detailed,reminder:600,60 --extension ~,102 --expires-in 2h',
    );
    const account = '/restapi/v1.0/account/400131426/extension';
    expect(made['eventFilters']).toEqual([
      `${account}/171857100/message-store`,
      `${account}/171857102/message-store`,
      `${account}/171857100/presence?detailedTelephonyState=true`,
      `${account}/171857102/presence?detailedTelephonyState=true`,
      expect.stringMatching(/threshold=600&interval=60$/),
    ]);
    expect(made['expiresIn']).toBe(7200);
    expect(office.sandbox.subscriptions()).toMatchObject([{ id: made['id'] }]);
  });

  it('spec:CURRENT-11 warns if the service does not encrypt the events', async () => {
    for (const [dialect, isWarned] of [
      ['current', true],
      ['spec', false],
    ] as const) {
      const office = await openOffice('administrator', undefined, undefined, { dialect });
      const command = `subscribe create --address ${await receiver()} --events messages --encrypt --dialect ${dialect}`;
      const { exit, stderr } = await office.run(command);
      expect([exit, stderr.includes('does not encrypt the events')]).toEqual([0, isWarned]);
    }
  });

  it('warns of subscriptions that send the same events to the same address', async () => {
    const office = await openOffice();
    const address = await receiver();
    const made = async (flags: string) => {
      const { stdout, stderr } = await office.run(`subscribe create ${flags} -o json`);
      return { id: (JSON.parse(stdout) as { readonly id: string }).id, stderr };
    };
    const first = await made(`--address ${address} --events messages,presence`);
    office.requests();
    const second = await made(`--address ${address} --events presence,messages`);
    expect(office.requests()).toEqual(['GET /subscription', 'POST /subscription']);
    expect(second.stderr).toContain(
      `subscription ${first.id} also sends messages, presence to this address, so each of these events arrives twice; to delete it: ucctl subscribe delete ${first.id}\n`,
    );
    await office.run(`subscribe delete ${first.id}`);
    const part = await made(`--address ${address} --events messages`);
    expect(part.stderr).toContain(
      `subscription ${second.id} also sends messages to this address, so each of these events arrives twice; to see its other events: ucctl subscribe show ${second.id}\n`,
    );
    const silent = [
      first,
      await made(`--address ${address} --events messages --extension 102`),
      await made(`--address ${await receiver()} --events messages,presence`),
      await made('--transport channel --events messages'),
      await made('--transport channel --events messages'),
    ];
    for (const { stderr } of silent) expect(stderr).not.toContain('also sends');
  });

  it('asks the service to send UCCTL_VERIFICATION_TOKEN with each event', async () => {
    const bodies: string[] = [];
    const office = await openOffice('administrator', (send) => (request) => {
      if (request.method === 'POST') bodies.push(String(request.body));
      return send(request);
    });
    const env = { UCCTL_VERIFICATION_TOKEN: 'verification-1' };
    const command = `subscribe create --address ${await receiver()} --events messages`;
    expect((await office.run(command, { env })).exit).toBe(0);
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({
      deliveryMode: { verificationToken: 'verification-1' },
    });
    const channel = 'subscribe create --transport channel --events messages';
    expect((await office.run(channel, { env })).exit).toBe(0);
    expect(bodies[1]).not.toContain('verification');
  });

  it('says that events are encrypted without a request, and how to show the key', async () => {
    const office = await openOffice();
    const create = async (flags: string): Promise<string> =>
      (await office.run(`subscribe create --address ${await receiver()} ${flags}`)).stderr;
    const stderr = await create('--events messages,presence');
    const [{ id } = { id: '' }] = office.sandbox.subscriptions();
    expect(stderr).toContain(
      `The service encrypts the events of this subscription. Key for your receiver: ucctl subscribe show ${id} --show-secrets`,
    );
    expect(await create('--events messages')).toBe('');
    expect(await create('--events messages --encrypt')).toContain('Key for your receiver');
    expect(await create('--events presence --show-secrets')).toBe('');
  });

  it.each(['--transport webhook', '--transport channel'])(
    'spec:CLIENT-2 finds the created subscription if the response is lost (%s), and no earlier one',
    async (flags) => {
      const state = { loses: false };
      const losesAnswer =
        (send: HttpSend): HttpSend =>
        async (request) => {
          const reply = await send(request);
          if (!state.loses || request.method !== 'POST') return reply;
          throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
        };
      const office = await openOffice('administrator', losesAnswer);
      const address = flags.includes('webhook') ? `--address ${await receiver()}` : '';
      const command = `subscribe create --events messages ${flags} ${address} -o json`;
      const before = JSON.parse((await office.run(command)).stdout) as { id: string };
      state.loses = true;
      const adopted = JSON.parse((await office.run(command)).stdout) as { id: string };
      expect(adopted.id).not.toBe(before.id);
      expect(new Set(office.sandbox.subscriptions().map(({ id }) => id))).toEqual(
        new Set([before.id, adopted.id]),
      );
    },
  );

  it.each([
    ['--events nonsense --address https://x.example/in', '"nonsense" is not a valid event'],
    [
      '--events reminder:600,60 --address https://x.example/in --expires-in 10m',
      'half of the subscription lifetime (600 s)',
    ],
    ['--events messages --address http://x.example/in', 'is not a valid https:// URL'],
    ['--events messages --address x', 'is not a valid https:// URL'],
    ['--events messages', '--address'],
    [
      '--events extensions --extension 101 --address https://x.example/in',
      '--extension applies only to messages, presence and lines',
    ],
    ['--address https://x.example/in', '--events'],
  ])('%s ends with 2 before anything is sent', async (flags, words) => {
    const office = await openOffice();
    office.requests();
    const { exit, stdout, stderr } = await office.run(`subscribe create ${flags}`);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
    expect(office.requests()).toEqual([]);
  });

  it('reports the rejection of an address that does not answer', async () => {
    const { run, sandbox } = await openOffice();
    const { exit, stderr } = await run('subscribe create --events messages --address http://127.0.0.1:9/in');
    expect(exit).toBe(1);
    expect(stderr).toContain('SUB-521');
    expect(stderr).toContain('ucctl webhook check http://127.0.0.1:9/in');
    expect(stderr).not.toContain('this listener');
    expect(sandbox.subscriptions()).toEqual([]);
  });

  it('names no masked address in the command that tests the receiver', async () => {
    const { run } = await openOffice();
    const address = 'http://127.0.0.1:9/webhook/0f8fad5b-d9cb-469f-a165-70867728950e';
    const { stderr } = await run(`subscribe create --events messages --address ${address}`);
    expect(stderr).toContain('the service rejected the address http://127.0.0.1:9/webhook/0f8f***:');
    expect(stderr).toContain('ucctl webhook check ADDRESS');
    expect(stderr).not.toContain('ad5b-d9cb');
  });

  it('sends nothing under --dry-run', async () => {
    const { run, sandbox } = await openOffice();
    const { exit, stdout } = await run(
      'subscribe create --events messages --address https://x.example/in -n',
    );
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^POST http:\S+\/restapi\/v1\.0\/subscription\n/);
    expect(sandbox.subscriptions()).toEqual([]);
  });
});

describe('a subscription', () => {
  it('is listed, shown, renewed and deleted', async () => {
    const office = await openOffice();
    const { run, sandbox } = office;
    const { id } = await create(office, '--events messages --expires-in 1h');
    const rows = (await run('subscribe list --fields id,status,events')).stdout;
    expect(rows).toBe(`${String(id)}\tActive\tmessages@171857100\n`);
    await sandbox.clock.advance(600_000);
    const shown = JSON.parse((await run(`subscribe show ${String(id)} -o json`)).stdout) as Record<
      string,
      unknown
    >;
    expect(shown).toMatchObject({ id, expiresIn: 3000 });
    const renewed = JSON.parse((await run(`subscribe renew ${String(id)} -o json`)).stdout) as unknown;
    expect(renewed).toMatchObject([{ id, expiresIn: 3600 }]);
    expect((await run(`subscribe delete ${String(id)}`)).stdout).toBe(`${String(id)}\tdeleted\n`);
    expect(sandbox.subscriptions()).toEqual([]);
    expect((await run('subscribe list', { terminal: true })).stderr).toBe('No subscriptions.\n');
  });

  it('is listed with the conditions of its filters', async () => {
    const office = await openOffice();
    const mailbox = '/restapi/v1.0/account/~/extension/~/message-store';
    const events = `${mailbox}?type=SMS&direction=Inbound,${mailbox},presence:detailed`;
    await create(office, `--events ${events}`);
    expect((await office.run('subscribe list --fields events')).stdout).toBe(
      'messages@171857100?type=SMS&direction=Inbound messages@171857100 presence:detailed@171857100\n',
    );
  });

  it('that has expired or never existed is not found', async () => {
    const office = await openOffice();
    const { id } = await create(office, '--events messages --expires-in 30m');
    await office.sandbox.clock.advance(1_900_000);
    for (const verb of ['show', 'renew', 'delete']) {
      for (const name of [String(id), 'nonsense', '..%2Fx']) {
        const { exit, stdout, stderr } = await office.run(`subscribe ${verb} ${name}`);
        expect([exit, stdout]).toEqual([3, '']);
        expect(stderr).toContain(`subscription "${name}" not found; it may have expired`);
      }
    }
  });

  it('is deleted although another one is missing, with exit 8', async () => {
    const office = await openOffice();
    const { id } = await create(office);
    const { exit, stdout, stderr } = await office.run(`subscribe delete nonsense ${String(id)}`);
    expect([exit, stdout]).toEqual([8, `${String(id)}\tdeleted\n`]);
    expect(stderr).toContain(
      '1 of 2 subscriptions was not deleted\n  nonsense: subscription "nonsense" not found',
    );
    expect(office.sandbox.subscriptions()).toEqual([]);
  });
});
