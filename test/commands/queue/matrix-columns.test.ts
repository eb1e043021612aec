import { expect, it } from 'vitest';
import { openOffice } from '../office.ts';

it.each(['queue plan -f - --exact', 'queue apply -f - --exact --yes', 'queue diff -f -'])(
  '%s warns about an added column of a matrix that is not read as a queue',
  async (command) => {
    const { run } = await openOffice();
    const stdin =
      'extension,agentName,201 Support,Billing\n102,Dana Okafor,x,yes\n103,José Álvarez,x,\n104,Chris Smith,x,\n';
    const { exit, stderr } = await run(command, { stdin });
    expect([exit, stderr]).toEqual([
      0,
      expect.stringContaining(
        'warning: stdin: column "Billing" is not read as a queue; to read it, mark its agents with x and leave all other cells empty',
      ),
    ]);
  },
);

it('a column of departments, whose values are names of queues, does not remove agents', async () => {
  const { run } = await openOffice();
  const stdin =
    'extension,agentName,Department,201 Support,202 Sales,203 Billing\n102,Dana Okafor,Support,x,,\n103,José Álvarez,Support,x,,x\n104,Chris Smith,Sales,x,x,\n105,Agent Five,Sales,,x,\n106,Agent Six,Sales,,x,\n107,Agent Seven,Billing,,,x\n';
  const { exit, stdout } = await run('queue plan -f - --exact --fields action,queue,extension', { stdin });
  const changes = stdout.split('\n').filter((line) => !line.startsWith('none'));
  expect([exit, changes]).toEqual([0, ['add\t203\t103', '']]);
});
