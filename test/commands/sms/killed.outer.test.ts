import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { eventually } from '../../support/eventually.ts';
import { startUcctl, type Ended } from '../../support/process.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const sender = 171_857_100;
const count = 8;
const numbers = Array.from({ length: count }, (_, index) => `+1650555${2000 + index}`);

/** When the process is killed: at a request of this number, before the service sees it, before its reply, or after it. */
interface Kill {
  readonly request: number;
  readonly phase: 'before' | 'unanswered' | 'answered';
}

/** A sandbox behind a socket that kills a process at a chosen moment. */
async function openDesk() {
  const sandbox = await startSandbox({ listen: false, database: ':memory:', clock: 'real' });
  const token = await signInAs(sandbox, 'administrator');
  let seen = 0;
  let posts = 0;
  let delay: Promise<void> | undefined;
  let plan: { readonly kill: Kill; readonly end: () => void } | undefined;
  const server = createServer((request, response) => {
    seen += 1;
    if (request.method === 'POST') posts += 1;
    const phase = seen === plan?.kill.request ? plan.kill.phase : undefined;
    const end = plan?.end;
    const before = request.method === 'POST' ? delay : undefined;
    void Promise.resolve(before)
      .then(() =>
        answer(sandbox, request, response, (moment) => {
          if (moment === phase) end?.();
          return moment === phase && moment !== 'answered';
        }),
      )
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
    await sandbox.close();
  });
  const folder = temporaryFolder();
  const list = join(folder, 'list.csv');
  const results = join(folder, 'done.csv');
  writeFileSync(list, `to,name\n${numbers.map((number, index) => `${number},n${index}\n`).join('')}`);
  const env = {
    HOME: folder,
    UCCTL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    UCCTL_TOKEN: token,
    UCCTL_STATE_DIR: join(folder, 'state'),
    UCCTL_CONFIG_DIR: join(folder, 'config'),
  };
  const send = ['sms', 'send', '-f', list, '--template', 'Hello {{name}}', '--from', '+16505550110', '--yes'];
  return {
    send: [...send, '--results', results],
    results: () => (existsSync(results) ? readFileSync(results, 'utf8') : undefined),
    posts: () => posts,
    /** Holds all texts until the returned function is called. */
    hold(): () => void {
      let release: () => void = () => undefined;
      delay = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    /** How often each number got its text. */
    texts() {
      const subjects = sandbox.messages(sender).map(({ subject }) => subject ?? '');
      return numbers.map((_, index) => subjects.filter((subject) => subject === `Hello n${index}`).length);
    },
    async run(argv: readonly string[], kill?: Kill): Promise<Ended> {
      seen = 0;
      const { child, ended } = startUcctl(argv, { env });
      plan = kill && { kill, end: () => void child.kill('SIGKILL') };
      const result = await ended;
      plan = undefined;
      return result;
    },
    /** Presses Ctrl-C when the service has seen this number of requests. */
    async interrupt(argv: readonly string[], request: number): Promise<Ended> {
      seen = 0;
      const { child, ended } = startUcctl(argv, { env });
      plan = { kill: { request, phase: 'answered' }, end: () => void child.kill('SIGINT') };
      const result = await ended;
      plan = undefined;
      return result;
    },
    /** Presses Ctrl-C when the service gets the first request, and again until the process ends. */
    async interruptTwice(argv: readonly string[]): Promise<Ended> {
      const before = posts;
      const { child, ended } = startUcctl(argv, { env });
      await eventually(() => expect(posts).toBeGreaterThan(before));
      child.kill('SIGINT');
      await eventually(() => {
        child.kill('SIGINT');
        expect(child.signalCode).toBe('SIGINT');
      });
      return ended;
    },
  };
}

/** Passes a request on to the sandbox; `at` is called at each phase, and ends the answer by true. */
async function answer(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
  at: (phase: Kill['phase']) => boolean,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces).toString();
  if (at('before')) return void response.destroy();
  const { authorization = '' } = request.headers;
  const reply = await sandbox.fetch(
    new Request(`${sandbox.url}${request.url ?? ''}`, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== '' && { body }),
    }),
  );
  const text = await reply.text();
  if (at('unanswered')) return void response.destroy();
  response.writeHead(reply.status, { 'content-type': 'application/json' });
  await new Promise<void>((resolve) => void response.end(text, resolve));
  at('answered');
}

/** Park-Miller: the same kills in every run. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * below);
  };
}

const statuses = (csv: string): readonly string[] =>
  csv
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(',')[2] ?? '');

describe('a list of texts whose process is killed', () => {
  it.each([1, 2, 3, 4, 5, 6])(
    'at a random moment (seed %i) cannot be started again, is resumed, and sends no text twice',
    async (seed) => {
      const random = randomOf(seed * 7919);
      const desk = await openDesk();
      const phases = ['before', 'unanswered', 'answered'] as const;
      // Not at the last text: the run may be finished by then, and a finished run prevents nothing.
      const kill = { request: 1 + random(count - 1), phase: phases[random(3)] ?? 'before' };
      const killed = await desk.run(desk.send, kill);
      expect(killed.signal).toBe('SIGKILL');
      const before = desk.posts();
      const again = await desk.run(desk.send);
      expect([again.exit, desk.posts()]).toEqual([11, before]);
      const [, run = ''] = /--resume (\S+);/.exec(again.stderr) ?? [];
      expect(run).toMatch(/^\d{8}-\d{6}-[0-9a-f]{4}$/);
      const halfway = statuses(desk.results() ?? '');
      expect(halfway).toHaveLength(count);
      const shown = halfway.filter((_, index) => (desk.texts()[index] ?? 0) > 0);
      expect(shown.filter((status) => status !== 'sent' && status !== 'unknown')).toEqual([]);
      const resumed = await desk.run(['sms', 'send', '--resume', run, '--yes']);
      const final = statuses(desk.results() ?? '');
      const texts = desk.texts();
      expect(texts.filter((times) => times > 1)).toEqual([]);
      for (const [index, times] of texts.entries()) {
        expect(times === 1 ? ['sent', 'unknown'] : ['unknown']).toContain(final[index]);
      }
      const unknown = final.filter((status) => status === 'unknown').length;
      expect(unknown).toBeLessThanOrEqual(1);
      expect(resumed.exit).toBe(unknown > 0 ? 14 : 0);
      // A text that the service never saw is not lost silently: its row says so.
      expect(texts.filter((times) => times === 0).length).toBeLessThanOrEqual(unknown);
    },
  );

  it('repeatedly: each resume continues, and each number has its text once or an unknown outcome', async () => {
    const random = randomOf(4711);
    const desk = await openDesk();
    await desk.run(desk.send, { request: 3, phase: 'answered' });
    let kills = 1;
    for (; kills < 5; kills += 1) {
      const { signal } = await desk.run(['sms', 'send', '--resume', 'last', '--yes'], {
        request: 1 + random(2),
        phase: random(2) === 0 ? 'unanswered' : 'before',
      });
      if (signal === null) break;
    }
    const last = await desk.run(['sms', 'send', '--resume', 'last', '--yes']);
    expect([0, 14]).toContain(last.exit);
    const final = statuses(desk.results() ?? '');
    const texts = desk.texts();
    expect(texts.filter((times) => times > 1)).toEqual([]);
    const missing = final.filter((_, index) => texts[index] === 0);
    expect(missing.filter((status) => status !== 'unknown')).toEqual([]);
    expect(final.filter((status) => status === 'unknown').length).toBeLessThanOrEqual(kills);
  });

  it('by Ctrl-C exits with 130 and names the command to resume, also under -q', async () => {
    const desk = await openDesk();
    const broken = await desk.interrupt([...desk.send, '-q'], 4);
    expect(broken.exit).toBe(130);
    const [, command = ''] = /resume the run: ucctl (sms send --resume \S+)\n/.exec(broken.stderr) ?? [];
    const sent = desk.texts().filter((times) => times === 1).length;
    expect(statuses(desk.results() ?? '').filter((status) => status === 'sent')).toHaveLength(sent);
    expect((await desk.run(desk.send)).exit).toBe(11);
    expect((await desk.run([...command.split(' '), '--yes'])).exit).toBe(0);
    expect(desk.texts()).toEqual(numbers.map(() => 1));
    expect(statuses(desk.results() ?? '')).toEqual(numbers.map(() => 'sent'));
  });

  it.each([
    ['the list', (send: readonly string[]) => [...send, '-q']],
    ['a text', () => ['sms', 'send', 'Hello', '--to', '+16505552000', '--from', '+16505550110', '--yes']],
  ])('by a second Ctrl-C names the recorded outcome of %s without a reply', async (_, argv) => {
    const desk = await openDesk();
    const release = desk.hold();
    onTestFinished(release);
    const killed = await desk.interruptTwice(argv(desk.send));
    expect(killed.signal).toBe('SIGINT');
    const { stdout } = await desk.run(['outcome', 'list', '--state', 'unknown', '-o', 'json']);
    const [{ id }] = JSON.parse(stdout) as readonly [{ readonly id: number }];
    expect(killed.stderr.split('\n').filter((line) => line.includes('outcome'))).toEqual([
      `warning: exited without the reply to a request, which may have taken effect (outcome ${id}); to find out: ucctl outcome resolve ${id}`,
    ]);
  });

  it('two concurrent processes of the same command: one sends, the other exits with 11', async () => {
    const desk = await openDesk();
    const release = desk.hold();
    const runs = [desk.run(desk.send), desk.run(desk.send)];
    // The texts of one process wait, so only the other can end.
    expect((await Promise.race(runs)).exit).toBe(11);
    release();
    const ended = await Promise.all(runs);
    expect(ended.map(({ exit }) => exit)).toEqual(expect.arrayContaining([0, 11]));
    expect(desk.texts()).toEqual(numbers.map(() => 1));
  });
});
