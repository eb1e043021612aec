import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import type { RunResult } from '../../support/run-ucctl.ts';
import { openLiveOffice } from '../live-office.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';

const files = {
  'queues.csv': 'queue,agent,action\n201,106,add\n202,107,add\n',
  'texts.csv': 'to\n+16505550101\n+16505550102\n',
};
const assign = 'queue assign -f queues.csv --max-items 1 --yes --retry 0';
const send = 'sms send -f texts.csv --template Hello --from +16505550110 --yes';

/** A machine with an interrupted run of agents and an interrupted run of texts, each with one change left. */
async function openInterrupted() {
  let stop = new AbortController();
  let pause: Promise<void> | undefined;
  let onHold = (): void => undefined;
  const office = await openLiveOffice('administrator', {}, (inner): HttpSend => async (request) => {
    if (request.method === 'GET') return inner(request);
    stop.abort(new Error('interrupted'));
    const released = pause;
    pause = undefined;
    onHold();
    await released;
    return inner(request);
  });
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const at = { cwd, paths: temporaryPaths() };
  for (const line of [assign, send]) {
    stop = new AbortController();
    expect((await office.run(line, { ...at, signal: stop.signal })).exit).toBe(130);
  }
  const { stdout } = await office.run('history list --fields id,kind', at);
  const idOf = (kind: string): string => new RegExp(`^(\\S+)\t${kind}$`, 'm').exec(stdout)?.[1] ?? '';
  const states = async (): Promise<string> =>
    (await office.run('history list --fields id,state,counts', at)).stdout;
  office.requests();
  return {
    run: (line: string, env = {}): Promise<RunResult> => office.run(line, { ...at, env }),
    ids: { agents: idOf('queue.assign'), texts: idOf('sms.send') },
    writes: () => office.requests().filter((line) => !line.startsWith('GET')).length,
    states,
    /** Starts a command, and returns when its first request that changes something waits for `release`. */
    async holding(line: string) {
      let release = (): void => undefined;
      pause = new Promise((resolve) => (release = resolve));
      const waits = new Promise<void>((resolve) => (onHold = resolve));
      const result = office.run(line, at);
      await Promise.race([waits, result]);
      return { result, release };
    },
  };
}

type Kind = 'agents' | 'texts';
const resume: Readonly<Record<Kind, string>> = { agents: 'queue apply', texts: 'sms send' };

describe.each<[Kind, Kind, string]>([
  ['agents', 'texts', 'is not a text run'],
  ['texts', 'agents', 'is not a change of queue agents'],
])('an interrupted run of %s', (kind, other, text) => {
  it('is not resumed by a command for another kind of run', async () => {
    const desk = await openInterrupted();
    const before = await desk.states();
    const { exit, stderr } = await desk.run(`${resume[other]} --resume ${desk.ids[kind]} --yes`);
    expect([exit, stderr, desk.writes()]).toEqual([2, expect.stringContaining(text), 0]);
    expect(await desk.states()).toBe(before);
  });

  it('is not resumed at another service', async () => {
    const desk = await openInterrupted();
    const before = await desk.states();
    const env = { UCCTL_BASE_URL: 'https://other.example' };
    const named = await desk.run(`${resume[kind]} --resume ${desk.ids[kind]} --yes`, env);
    expect([named.exit, named.stderr]).toEqual([11, expect.stringContaining('belongs to http')]);
    const last = await desk.run(`${resume[kind]} --resume last --yes`, env);
    expect([last.exit, last.stderr]).toEqual([3, expect.stringContaining('no run to resume')]);
    expect([desk.writes(), await desk.states()]).toEqual([0, before]);
  });

  it('is not resumed while another process resumes it', async () => {
    const desk = await openInterrupted();
    const line = `${resume[kind]} --resume last --yes`;
    const first = await desk.holding(line);
    const second = await desk.run(line);
    first.release();
    expect([second.exit, second.stderr]).toEqual([11, expect.stringContaining('another run is in progress')]);
    expect([(await first.result).exit, desk.writes()]).toEqual([0, 1]);
  });
});

it('a run is not undone at another service', async () => {
  const desk = await openInterrupted();
  const before = await desk.states();
  const env = { UCCTL_BASE_URL: 'https://other.example' };
  const { exit, stderr } = await desk.run(`history undo ${desk.ids.agents} --yes`, env);
  expect([exit, stderr]).toEqual([11, expect.stringContaining('belongs to http')]);
  expect([desk.writes(), await desk.states()]).toEqual([0, before]);
});
