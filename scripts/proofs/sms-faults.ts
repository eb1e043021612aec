import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClient, OutcomeUnknownError, type Client } from '../../src/client/index.ts';
import type { HttpSend } from '../../src/client/http.ts';
import { createUndiciHttp } from '../../src/client/undici-http.ts';
import { createRecorder, OutcomeJournal, resolveOutcomes } from '../../src/features/outcome-journal/index.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import type { Result, Size } from './result.ts';

const from = '+16505550110';
const to = '+16505550112';
const faultShare = 0.1;
/** Milliseconds between the sends and the look for them. */
const waitBeforeLook = 60_000;

/** The same numbers for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Where a connection breaks: before anything passes, after some bytes of the request or of the reply, or when all is said. */
type Fault = { readonly side: 'up' | 'down'; readonly afterBytes: number } | undefined;

/** A proxy on this machine that breaks a tenth of the connections, each at a random byte. */
async function breakingProxy(target: URL, random: () => number) {
  const sockets = new Set<Socket>();
  const counted = { connections: 0, broken: 0 };
  const server = createServer((client) => {
    counted.connections += 1;
    const fault: Fault =
      random() < faultShare
        ? { side: random() < 0.5 ? 'up' : 'down', afterBytes: Math.floor(random() * 450) }
        : undefined;
    const service = connect(Number(target.port), target.hostname);
    sockets.add(client).add(service);
    const end = (): void => {
      // One that is ending already must not be reset: on Node 20 the process then never gets out.
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
        // What was let through must reach the service, so that it may be done although nobody hears of it.
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

/** Sends texts through a network that breaks a tenth of the connections; then compares the store with what was reported, and resolves the rest. */
export async function run(size: Size): Promise<readonly Result[]> {
  const count = size === 'full' ? 1000 : 60;
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-proof-'));
  const sandbox = await startSandbox({ clock: 'real', validateReplies: false });
  const token = await signIn(sandbox);
  const proxy = await breakingProxy(new URL(sandbox.url), seeded(20_261_120));
  const http = createUndiciHttp();
  const journal = OutcomeJournal.open(folder);
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
    recorder: createRecorder(journal, owner, () => Date.now(), { whose: () => Promise.resolve(who) }),
  });
  try {
    const reported = await sendAll(client, count);
    const stored = sandbox.messages().filter(({ direction }) => direction === 'Outbound');
    const copies = new Map<string, number>();
    for (const { subject } of stored) copies.set(subject ?? '', (copies.get(subject ?? '') ?? 0) + 1);
    const duplicates = [...copies.values()].filter((copy) => copy > 1).length;
    const silent = reported.filter(({ text, state }) => state === 'failed' && copies.has(text)).length;
    const lost = reported.filter(({ text, state }) => state === 'sent' && !copies.has(text)).length;
    const all = journal.list(owner, Date.now());
    const unknown = all.filter(({ state }) => state === 'unknown');
    // As if somebody looked a minute later, by both clocks: sooner, not finding a text proves nothing.
    const later = (): number => Date.now() + waitBeforeLook;
    const sureClient = buildClient({
      ...settings,
      http: aheadHttp(http.send),
      baseUrl: new URL(sandbox.url),
    });
    const verdicts = await resolveOutcomes({
      api: sureClient,
      journal,
      unknown,
      all,
      owners: [who],
      now: later,
    });
    const texts = new Map(reported.map(({ text }, index) => [index, text]));
    const right = verdicts.filter(({ outcome, verdict }) => {
      const isThere = copies.has(texts.get(outcome.id - 1) ?? '');
      return verdict === (isThere ? 'sent' : 'not-sent');
    }).length;
    const told = reported.filter(({ state }) => state === 'unknown').length;
    return [
      {
        promise: 'a text is never sent twice',
        figure: `${duplicates} duplicates in ${count} sends over ${proxy.counted.connections} connections, ${proxy.counted.broken} broken`,
        holds: duplicates === 0 && proxy.counted.broken > 0,
      },
      {
        promise: 'every unknown outcome is reported',
        figure: `${told} unknown; ${silent} arrived but were reported as failed, ${lost} missing but reported as sent`,
        holds: silent === 0 && lost === 0 && told === unknown.length && told > 0,
      },
      {
        promise: 'looking settles every unknown outcome',
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

/** A service whose clock is a minute ahead: its Date header says so. */
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

/** One after the other, so that the journal's ids count the texts. */
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
