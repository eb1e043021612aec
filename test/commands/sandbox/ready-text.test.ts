import { expect, test } from 'vitest';
import { readyText } from '../../../src/commands/sandbox/ready-text.ts';
import { openOffice } from '../office.ts';

test.each(['ucctl', 'npx ucctl', 'node /home/somebody/projects/ucctl/bin/ucctl.cjs'])(
  'the text after the start of a sandbox with %s fits in 24 lines of 80 columns',
  async (command) => {
    const { sandbox } = await openOffice();
    const text = readyText(sandbox.ready, command);
    const typed = text.replaceAll(/ \\\n +/g, ' ');
    expect(typed).toContain(
      `  ${command} sandbox assertion 100 |\n    ${command} login --flow jwt --assertion-stdin --store file\n`,
    );
    const lines = text.split('\n');
    expect(lines.length).toBeLessThan(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  },
);

test('the text after the start names the public URL', async () => {
  const { sandbox } = await openOffice();
  const text = readyText({ ...sandbox.ready, publicUrl: 'http://sandbox.test:8080' }, 'ucctl');
  const [first, second] = text.split('\n');
  expect(first).toMatch(/^Sandbox ready at http:\/\/127\.0\.0\.1/);
  expect(second).toBe('Public URL: http://sandbox.test:8080');
});

test('the text after the start of a large sandbox names only some queues', async () => {
  const { sandbox } = await openOffice();
  const queue = (at: number) => ({ id: String(at), name: `Queue ${at}`, extension: String(8000 + at) });
  const linesOf = (count: number): readonly string[] => {
    const queues = Array.from({ length: count }, (_, at) => queue(at));
    return readyText({ ...sandbox.ready, queues }, 'ucctl').split('\n');
  };
  const start = 'Call queues: Queue 0 (8000), Queue 1 (8001), ';
  expect(linesOf(250).find((line) => line.startsWith(start))).toMatch(/, Queue 9 \(8009\) and 240 more$/);
  expect(linesOf(12).find((line) => line.startsWith(start))).toMatch(/, Queue 9 \(8009\) and 2 more$/);
  expect(linesOf(10).find((line) => line.startsWith(start))).toMatch(/, Queue 9 \(8009\)$/);
});
