import { expect, test } from 'vitest';
import { openDesk } from '../../matrix/desk.ts';

const list = 'queue,agent,action\n201,105,add\n201,106,add\n202,103,add\n202,107,add\n';

/** A desk after a run that adds two agents to each of two queues. */
async function deskWithRun() {
  const desk = await openDesk({ files: { 'queues.csv': list } });
  expect(await desk.run('queue assign -f queues.csv --yes')).toMatchObject({ exit: 0 });
  const id = (await desk.run('history list --fields id')).stdout.trim();
  const members = async (): Promise<string> => {
    const of = async (queue: string): Promise<string> =>
      (await desk.run(`queue members ${queue} --fields number`)).stdout.trim().split('\n').join(' ');
    return `201: ${await of('201')}, 202: ${await of('202')}`;
  };
  const states = async (): Promise<string> =>
    (await desk.run('history list --fields state')).stdout.trim().split('\n').join(' ');
  const newest = async (): Promise<string> =>
    (await desk.run('history list --fields id')).stdout.split('\n')[0] ?? '';
  return { desk, id, members, states, newest };
}

test('undoes only the changes of an extension, and the rest later without --force', async () => {
  const { desk, id, members, states } = await deskWithRun();
  await using _ = desk;
  expect(await members()).toBe('201: 102 103 104 105 106, 202: 103 104 105 106 107');
  const part = await desk.run('history undo last --extension 103,106 --yes');
  expect([part.exit, part.stdout.trim().split('\n').length]).toEqual([0, 2]);
  expect([await members(), await states()]).toEqual([
    '201: 102 103 104 105, 202: 104 105 106 107',
    'done done',
  ]);

  // The same undo again changes nothing.
  const again = await desk.run(`history undo ${id} --extension 106 --yes`, { terminal: 100 });
  expect([again.exit, again.stderr]).toEqual([
    0,
    expect.stringContaining('Nothing to undo: no selected change'),
  ]);
  expect((await desk.run('history undo last --extension 107 --yes')).stderr).toContain(
    `ucctl history undo ${id}`,
  );
  const rest = await desk.run(`history undo ${id} --yes`, { terminal: 100 });
  expect([rest.exit, rest.stderr]).toEqual([0, expect.not.stringMatching(/\((103|106)\)/)]);
  expect([await members(), await states()]).toEqual([
    '201: 102 103 104, 202: 104 105 106',
    'done done undone',
  ]);
  expect(await desk.run(`history undo ${id} --yes`)).toMatchObject({ exit: 11 });
});

test('selects by queue and extension, and shows only these changes before the question', async () => {
  const { desk, id, members } = await deskWithRun();
  await using _ = desk;
  const { exit, stderr } = await desk.run(`history undo ${id} --queue Support --extension 106,103 --yes`, {
    terminal: 100,
  });
  expect([exit, stderr]).toEqual([0, expect.stringContaining(`Undo a part of run ${id}`)]);
  expect(stderr.match(/^ {2}[-+] .*$/gm)).toHaveLength(1);
  expect(await members()).toBe('201: 102 103 104 105, 202: 103 104 105 106 107');
});

test('does not count a run as undone if an undo of its part is made again', async () => {
  const { desk, id, members, states, newest } = await deskWithRun();
  await using _ = desk;
  expect(await desk.run(`history undo ${id} --queue 202 --yes`)).toMatchObject({ exit: 0 });
  expect(await desk.run(`history undo ${await newest()} --yes`)).toMatchObject({ exit: 0 });
  expect(await members()).toBe('201: 102 103 104 105 106, 202: 103 104 105 106 107');
  expect(await desk.run(`history undo ${await newest()} --yes`)).toMatchObject({ exit: 0 });
  expect([await members(), await states()]).toEqual([
    '201: 102 103 104 105 106, 202: 104 105 106',
    'done undone done done',
  ]);
  expect(await desk.run(`history undo ${id} --yes`)).toMatchObject({ exit: 0 });
  expect(await members()).toBe('201: 102 103 104, 202: 104 105 106');
});

test('makes a part again if its undo is undone, and a later undo of the run includes it', async () => {
  const { desk, id, members, states, newest } = await deskWithRun();
  await using _ = desk;
  expect(await desk.run(`history undo ${id} --queue 202 --yes`)).toMatchObject({ exit: 0 });
  expect(await desk.run(`history undo ${await newest()} --extension 107 --yes`)).toMatchObject({ exit: 0 });
  expect(await members()).toBe('201: 102 103 104 105 106, 202: 104 105 106 107');
  expect(await desk.run(`history undo ${id} --yes`)).toMatchObject({ exit: 0 });
  expect([await members(), await states()]).toEqual([
    '201: 102 103 104, 202: 104 105 106',
    'done done done undone',
  ]);
});

test('a part that was undone completely makes the run undone', async () => {
  const { desk, id, members, states } = await deskWithRun();
  await using _ = desk;
  expect(await desk.run(`history undo ${id} --queue 201 --yes`)).toMatchObject({ exit: 0 });
  expect(await desk.run(`history undo ${id} --queue 202 --yes`)).toMatchObject({ exit: 0 });
  expect([await members(), await states()]).toEqual([
    '201: 102 103 104, 202: 104 105 106',
    'done done undone',
  ]);
});

test('detects changes by others in the selected queues, and rejects names that the run did not change', async () => {
  const { desk, id } = await deskWithRun();
  await using _ = desk;
  expect(await desk.run(`history undo ${id} --extension 102 --yes`)).toMatchObject({
    exit: 3,
    stderr: expect.stringContaining(`run ${id} has no changes of Dana Okafor (102)`) as string,
  });
  expect(await desk.run(`history undo ${id} --queue Sales,Billing --yes`)).toMatchObject({ exit: 3 });
  await desk.run('queue assign --queue 201 --remove 102 --yes');
  expect(await desk.run(`history undo ${id} --queue 202 --yes`)).toMatchObject({ exit: 0 });
  expect(await desk.run(`history undo ${id} --extension 105 --yes`)).toMatchObject({ exit: 11 });
});

test('undoes a part of changes of presence', async () => {
  await using desk = await openDesk();
  expect(await desk.run('presence set 102 103 --user-status Busy --yes')).toMatchObject({ exit: 0 });
  const status = async (): Promise<string> =>
    (await desk.run('presence show 102 103 --fields userStatus')).stdout.trim().split('\n').join(' ');
  const id = (await desk.run('history list --fields id')).stdout.trim();
  expect(await desk.run('history undo last --extension 103 --yes')).toMatchObject({ exit: 0 });
  expect(await status()).toBe('Busy Available');
  expect(await desk.run(`history undo ${id} --yes`)).toMatchObject({ exit: 0 });
  expect(await status()).toBe('Available Available');
});

test('names the command that undoes the remaining changes of the same part, if they failed', async () => {
  const { desk, id, members, states } = await deskWithRun();
  await using _ = desk;
  const fault = { kind: 'status', operation: 'bulkAssignDepartmentMembers', status: 403, after: 1, times: 0 };
  await desk.sandbox.control('POST', '/faults', fault);
  const failed = await desk.run(`history undo ${id} --extension 103,106 --max-items 1 --retry 0 --yes`);
  await desk.sandbox.control('DELETE', '/faults');
  const [, next = ''] = / {2}try: {5}correct the cause, .+: ucctl (.+)\n/.exec(failed.stderr) ?? [];
  expect([failed.exit, next]).toEqual([8, `history undo ${id} --extension 103,106 --force`]);
  expect(await desk.run(`${next} --yes`)).toMatchObject({ exit: 0 });
  expect([await members(), await states()]).toEqual([
    '201: 102 103 104 105, 202: 104 105 106 107',
    'done done done',
  ]);
});

test('undoes a part of changes of people', async () => {
  await using desk = await openDesk({
    sandbox: { dialect: 'current' },
    files: { 'people.csv': 'agent,jobTitle\n102,Lead\n103,Lead\n' },
  });
  expect(await desk.run('agent apply -f people.csv --yes')).toMatchObject({ exit: 0 });
  const id = (await desk.run('history list --fields id')).stdout.trim();
  expect((await desk.run(`history show ${id} --fields extension`)).stdout).toBe('102\n103\n');
  expect(await desk.run(`history undo ${id} --queue 201 --yes`)).toMatchObject({ exit: 3 });
  expect(await desk.run(`history undo ${id} --extension 103 --yes`)).toMatchObject({ exit: 0 });
  expect((await desk.run('agent export --fields agent,jobTitle 102 103 -o tsv')).stdout).toMatch(/Lead\n/);
  const rest = await desk.run(`history undo ${id} --yes`);
  expect([rest.exit, rest.stdout.trim().split('\n').length]).toEqual([0, 1]);
});

test('history show has the columns queue and extension in CSV and JSON, and names the undo of a part', async () => {
  const { desk, id } = await deskWithRun();
  await using _ = desk;
  const { stdout } = await desk.run(`history show ${id} -o csv --fields queue,extension,status`);
  expect(stdout).toBe('queue,extension,status\r\n201,105,ok\r\n201,106,ok\r\n202,103,ok\r\n202,107,ok\r\n');
  expect((await desk.run(`history show ${id} -o csv`)).stdout).toMatch(/^\S*queue,extension/);
  await desk.run(`history undo ${id} --queue 201 --yes`);
  expect((await desk.run(`history show ${id}`, { terminal: 100 })).stderr).toContain(
    'A part of the run was undone',
  );
});
