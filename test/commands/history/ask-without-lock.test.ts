import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { openDesk } from '../../matrix/desk.ts';
import type { RunResult } from '../../support/run-ucctl.ts';

type Desk = Awaited<ReturnType<typeof openDesk>>;

/** Runs a command at a terminal, does something while it waits for the answer, and answers yes. */
async function answered(
  desk: Desk,
  line: string,
  question: string,
  meanwhile: () => Promise<void>,
): Promise<RunResult> {
  const keyboard = { input: new PassThrough(), screen: new PassThrough() };
  let result: Promise<RunResult> | undefined;
  const first = await new Promise<unknown>((resolve) => {
    const onStderr = (text: string): void => {
      if (text.includes(question)) resolve('asked');
    };
    result = desk.run(`${line} --accessible`, { terminal: true, keyboard, onStderr });
    void result.then(resolve);
  });
  expect(first).toBe('asked');
  try {
    await meanwhile();
  } finally {
    keyboard.input.write('y\r');
    await result;
  }
  return (await result) as RunResult;
}

const list = 'queue,agent,action\n201,106,add\n202,107,add\n';
const openWithRun = async (): Promise<Desk> => {
  const desk = await openDesk({ files: { 'queues.csv': list } });
  expect(await desk.run('queue assign -f queues.csv --yes')).toMatchObject({ exit: 0 });
  return desk;
};

/** A run of two changes of which one is left. */
async function openInterrupted(changes = list): Promise<Desk> {
  const desk = await openDesk({ sandbox: { dialect: 'current' }, files: { 'queues.csv': changes } });
  const fault = { kind: 'status', operation: 'assignCallQueueMembers', status: 503, after: 1, times: 0 };
  await desk.sandbox.control('POST', '/faults', fault);
  expect((await desk.run('queue assign -f queues.csv --yes --retry 0')).exit).toBe(14);
  await desk.sandbox.control('DELETE', '/faults');
  return desk;
}

describe('other runs do not wait for the answer to', () => {
  it('history undo', async () => {
    await using desk = await openWithRun();
    const undone = await answered(desk, 'history undo last', 'Undo 2 changes of ', async () => {
      expect(await desk.run('queue assign --queue Billing --add 105 --yes')).toMatchObject({ exit: 0 });
    });
    expect(undone.exit).toBe(0);
    expect((await desk.run('history list --fields state')).stdout.trim()).toBe('done\ndone\nundone');
  });

  it('--resume', async () => {
    await using desk = await openInterrupted();
    const resumed = await answered(desk, 'queue apply --resume last', 'Resume run', async () => {
      expect(await desk.run('queue assign --queue Billing --add 105 --yes')).toMatchObject({ exit: 0 });
    });
    expect(resumed.exit).toBe(0);
    expect((await desk.run('history list --fields state')).stdout.trim()).toBe('done\ndone');
  });
});

describe('a change by another process before the answer', () => {
  it('an undo of the same run is detected', async () => {
    await using desk = await openWithRun();
    const id = (await desk.run('history list --fields id')).stdout.trim();
    const undone = await answered(desk, `history undo ${id}`, 'Undo 2 changes of ', async () => {
      expect(await desk.run(`history undo ${id} --yes`)).toMatchObject({ exit: 0 });
    });
    expect([undone.exit, undone.stderr]).toEqual([
      11,
      expect.stringContaining(`run ${id} has already been undone`),
    ]);
    expect((await desk.run('history list --fields state')).stdout.trim()).toBe('done\nundone');
  });

  it('another change of the same agents is detected by an undo, also after a quick answer', async () => {
    await using desk = await openWithRun();
    const undone = await answered(desk, 'history undo last', 'Undo 2 changes of ', async () => {
      expect(await desk.run('queue assign --queue 201 --remove 106 --yes')).toMatchObject({ exit: 0 });
      desk.writes();
    });
    expect([undone.exit, desk.writes()]).toEqual([11, []]);
  });

  it('a resumption of the same run leaves nothing to send', async () => {
    await using desk = await openInterrupted();
    const resumed = await answered(desk, 'queue apply --resume last', 'Resume run', async () => {
      expect(await desk.run('queue apply --resume last --yes')).toMatchObject({ exit: 0 });
      desk.writes();
    });
    expect(resumed.exit).toBe(0);
    expect(desk.writes()).toEqual([]);
  });

  it('another change of the same queue counts for the safety limits of --resume, also after a quick answer', async () => {
    await using desk = await openInterrupted('queue,agent,action\n202,107,add\n201,102,remove\n');
    const resumed = await answered(desk, 'queue apply --resume last', 'Resume run', async () => {
      expect(await desk.run('queue unassign 201 103 104 --yes')).toMatchObject({ exit: 0 });
      desk.writes();
    });
    expect([resumed.exit, resumed.stderr]).toEqual([9, expect.stringContaining('Support (201)')]);
    expect(desk.writes()).toEqual([]);
  });

  it('the members of a run of settings are not changed again', async () => {
    const file =
      'queues:\n  - { queue: Night, create: true, settings: { name: Night, number: "290" }, agents: [102] }\n';
    await using desk = await openDesk({ sandbox: { dialect: 'current' }, files: { 'q.yaml': file } });
    // The members are not started, because their results file cannot be written.
    expect((await desk.run('queue apply -f q.yaml --yes --results q.yaml/done.csv')).exit).toBe(12);
    const list = (await desk.run('history list --fields id,kind')).stdout;
    const [, id = ''] = /(\S+)\tqueue\.settings/.exec(list) ?? [];
    const resumed = await answered(desk, `queue apply --resume ${id}`, 'Apply?', async () => {
      expect(await desk.run(`queue apply --resume ${id} --yes`)).toMatchObject({ exit: 0 });
      desk.writes();
    });
    expect([resumed.exit, resumed.stderr]).toEqual([11, expect.stringContaining('has changed the agents')]);
    expect(desk.writes()).toEqual([]);
  });

  it('a list of texts that another command has sent is not sent again', async () => {
    await using desk = await openDesk({ files: { 'list.csv': 'to\n+16505550101\n+16505550102\n' } });
    const send = 'sms send -f list.csv --template Hello --from +16505550110';
    const sent = await answered(desk, send, 'Send 2 texts', async () => {
      expect(await desk.run(`${send} --yes`)).toMatchObject({ exit: 0 });
      desk.writes();
    });
    expect([sent.exit, sent.stderr]).toEqual([11, expect.stringContaining(', which another command has')]);
    expect([desk.writes(), (await desk.run('history list --fields state')).stdout]).toEqual([[], 'done\n']);
  });

  it('another unfinished run of the same texts is not abandoned by --new-run', async () => {
    await using desk = await openDesk({ files: { 'list.csv': 'to\n+16505550101\n+16505550102\n' } });
    const send = 'sms send -f list.csv --template Hello --from +16505550110';
    const sent = await answered(desk, `${send} --new-run`, 'Send 2 texts', async () => {
      const fault = { kind: 'status', operation: 'sendSms', status: 429, after: 1, times: 0 };
      await desk.sandbox.control('POST', '/faults', fault);
      expect(await desk.run(`${send} --yes --max-wait 0`)).toMatchObject({ exit: 8 });
      await desk.sandbox.control('DELETE', '/faults');
      desk.writes();
    });
    expect([sent.exit, sent.stderr]).toEqual([11, expect.stringContaining('which is not finished')]);
    expect([desk.writes(), (await desk.run('history list --fields state')).stdout]).toEqual([[], 'open\n']);
  });

  it('a text that was not sent after all needs a new confirmation', async () => {
    await using desk = await openDesk({ files: { 'list.csv': 'to\n+16505550101\n+16505550102\n' } });
    await desk.sandbox.control('POST', '/faults', { kind: 'bad-json', operation: 'sendSms', times: 2 });
    const sent = await desk.run('sms send -f list.csv --template Hello --from +16505550110 --yes');
    expect(sent.exit).toBe(14);
    const [one, other] = (await desk.run('outcome list --fields id')).stdout.trim().split('\n');
    const resolve = async (id: string | undefined): Promise<void> => {
      expect(await desk.run(`outcome resolve ${id} --as not-sent`)).toMatchObject({ exit: 0 });
    };
    await resolve(one);
    const resumed = await answered(desk, 'sms send --resume last', 'Resume run', async () => {
      await resolve(other);
      desk.writes();
    });
    expect([resumed.exit, resumed.stderr]).toEqual([11, expect.stringContaining('not confirmed: ')]);
    expect(resumed.stderr).not.toContain('interrupted');
    expect(desk.writes()).toEqual([]);
  });
});
