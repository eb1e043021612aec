import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClient, OutcomeUnknownError, type Client } from '../../src/client/index.ts';
import type { HttpSend } from '../../src/client/http.ts';
import { systemTiming } from '../../src/client/timing.ts';
import { createUndiciHttp } from '../../src/client/undici-http.ts';
import {
  createRecorder,
  openSendJournal,
  resolveOutcomes,
} from '../../src/features/outcome-journal/index.ts';
import { SentSecrets } from '../../src/platform/sent-secrets.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { Dice } from '../../test/support/dice.ts';
import type { Result, Size } from './result.ts';

const from = '+16505550110';
const to = '+16505550112';
const faultShare = 0.1;
/** Milliseconds between sending the texts and looking for them. */
const waitBeforeLook = 60_000;

/**
 * Where a connection breaks: before the first byte, after some bytes of the request or of the reply, or after the
 * reply.
 */
type Fault = { readonly side: 'up' | 'down'; readonly afterBytes: number } | undefined;

/** A local proxy that breaks a tenth of the connections, each at a random byte. */
async function breakingProxy(target: URL, dice: Dice) {
  const sockets = new Set<Socket>();
  const counted = { connections: 0, broken: 0 };
  const server = createServer((client) => {
    counted.connections += 1;
    const fault: Fault = dice.chance(faultShare)
      ? { side: dice.chance(0.5) ? 'up' : 'down', afterBytes: dice.integer(0, 449) }
      : undefined;
    const service = connect(Number(target.port), target.hostname);
    sockets.add(client).add(service);
    const end = (): void => {
      // A connection that is already ending must not be reset: on Node 20 the process would never exit.
      if (client.writableEnded) client.destroy();
      else client.resetAndDestroy();
      service.destroy();
    };
    const pass = (source: Socket, sink: Socket, side: 'up' | 'down'): void => {
      let left = fault?.side === side ? fault.afterBytes : Number.POSITIVE_INFINITY;
      source.on('data', (piece: Buffer) => {
        sink.write(piece.subarray(0, Math.min(piece.length, left)));
        left -= piece.length;
        if (left > 0 || client.destroyed) return;
        counted.broken += 1;
        // Bytes that were forwarded must reach the service, so that the text may be sent although the client gets no
        // reply.
        setTimeout(end, 5);
      });
      source.on('error', () => sink.destroy());
      source.on('close', () => sink.end());
    };
    pass(client, service, 'up');
    pass(service, client, 'down');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    counted,
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Sends texts through a network that breaks a tenth of the connections; then compares the store with the reported
 * outcomes, and resolves the unknown ones.
 */
export async function run(size: Size): Promise<readonly Result[]> {
  const count = size === 'full' ? 1000 : 60;
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-proof-'));
  const sandbox = await startSandbox({ clock: 'real', validateReplies: false });
  const token = await signIn(sandbox);
  const proxy = await breakingProxy(new URL(sandbox.url), new Dice(20_261_120));
  const http = createUndiciHttp();
  const journal = await openSendJournal({
    settings: { storeUrl: { value: undefined, origin: 'default', source: 'default' } },
    paths: { state: folder },
    now: () => Date.now(),
    sleep: () => Promise.resolve(),
    store: () => Promise.reject(new Error('the proof has no store')),
  });
  const owner = { profile: 'proof', origin: proxy.url.origin };
  const who = 'extension of the proof';
  const settings = {
    http: http.send,
    tokens: { current: () => Promise.resolve(token), renew: () => Promise.resolve(token) },
    userAgent: 'proof',
    timeoutMilliseconds: 5000,
  };
  const client = buildClient({
    ...settings,
    baseUrl: proxy.url,
    recorder: createRecorder(journal, owner, {
      whose: () => Promise.resolve(who),
      sentSecrets: new SentSecrets(),
      warn: (text) => {
        throw new Error(text);
      },
      warnIfKilled: () => () => undefined,
    }),
  });
  try {
    const reported = await sendAll(client, count);
    const stored = sandbox.messages().filter(({ direction }) => direction === 'Outbound');
    const copies = new Map<string, number>();
    for (const { subject } of stored) copies.set(subject ?? '', (copies.get(subject ?? '') ?? 0) + 1);
    const duplicates = [...copies.values()].filter((copy) => copy > 1).length;
    const silent = reported.filter(({ text, state }) => state === 'failed' && copies.has(text)).length;
    const lost = reported.filter(({ text, state }) => state === 'sent' && !copies.has(text)).length;
    const all = await journal.list(owner);
    const unknown = all.filter(({ state }) => state === 'unknown');
    // Advances both clocks by a minute before it looks for the texts: within the first minute, a text that is not found may still have been
    // sent.
    const later = (): number => Date.now() + waitBeforeLook;
    const sureClient = buildClient({
      ...settings,
      http: aheadHttp(http.send),
      timing: { ...systemTiming, now: later },
      baseUrl: new URL(sandbox.url),
    });
    const lookups = await resolveOutcomes({
      api: sureClient,
      journal,
      unknown,
      all,
      owners: [who],
      isSoleSender: true,
      now: later,
    });
    const texts = new Map(reported.map(({ text }, index) => [index, text]));
    const right = lookups.filter(({ outcome, result }) => {
      const isThere = copies.has(texts.get(outcome.id - 1) ?? '');
      return result === (isThere ? 'sent' : 'not-sent');
    }).length;
    const reportedUnknown = reported.filter(({ state }) => state === 'unknown').length;
    return [
      {
        promise: 'a text is never sent twice',
        figure: `${duplicates} duplicates in ${count} sends over ${proxy.counted.connections} connections, ${proxy.counted.broken} broken`,
        holds: duplicates === 0 && proxy.counted.broken > 0,
      },
      {
        promise: 'every unknown outcome is reported',
        figure: `${reportedUnknown} unknown; ${silent} arrived but were reported as failed, ${lost} missing but reported as sent`,
        holds: silent === 0 && lost === 0 && reportedUnknown === unknown.length && reportedUnknown > 0,
      },
      {
        promise: 'a search resolves every unknown outcome',
        figure: `${right} of ${unknown.length} right`,
        holds: right === unknown.length,
      },
    ];
  } finally {
    journal.close();
    await http.close();
    await proxy.close();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A service whose clock is a minute ahead, as its Date header shows. */
function aheadHttp(send: HttpSend): HttpSend {
  return async (request) => {
    const reply = await send(request);
    const date = Date.parse(reply.header('date') ?? '') + waitBeforeLook;
    const header = (name: string): string | undefined =>
      name === 'date' ? new Date(date).toUTCString() : reply.header(name);
    return { ...reply, header };
  };
}

type Reported = { readonly text: string; readonly state: 'sent' | 'failed' | 'unknown' };

/** In sequence, so that the IDs of the journal count the texts. */
async function sendAll(client: Client, count: number): Promise<readonly Reported[]> {
  const reported: Reported[] = [];
  for (let index = 0; index < count; index += 1) {
    const text = `text ${index}`;
    const state = await client.messages
      .sendSms({ from: { phoneNumber: from }, to: [{ phoneNumber: to }], text })
      .then(
        () => 'sent' as const,
        (error: unknown) =>
          error instanceof OutcomeUnknownError ? ('unknown' as const) : ('failed' as const),
      );
    reported.push({ text, state });
  }
  return reported;
}

async function signIn(sandbox: Sandbox): Promise<string> {
  const user = sandbox.ready.users.find(({ role }) => role === 'administrator');
  const { clientId, clientSecret } = sandbox.ready;
  const reply = await fetch(`${sandbox.url}/restapi/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'password',
      username: user?.username ?? '',
      extension: user?.extension ?? '',
      password: user?.password ?? '',
    }),
  });
  const { access_token: token } = (await reply.json()) as { access_token: string };
  return token;
}
