import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toolTable } from '../../src/commands/mcp/tool-table.ts';
import { toolNames } from '../../src/runtime/tool-names.ts';
import { runUcctl } from '../support/run-ucctl.ts';

it.each([
  ['sms_sent', 'tool "sms_sent" not found; did you mean sms_send?'],
  ['queue_change,nosuch', `tool "nosuch" not found; tools: ${toolNames.join(', ')}`],
])('config set mcp-allow %s: an unknown tool is rejected', async (value, problem) => {
  const { exit, stdout, stderr } = await runUcctl(`config set mcp-allow ${value}`);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toContain(`error: mcp-allow: ${problem}\n`);
});

it.each(['*', 'queue_change,history_undo', 'queue_read'])(
  'config set mcp-allow %s is accepted',
  async (value) => {
    const { exit, stderr } = await runUcctl(`config set mcp-allow ${value}`);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  },
);

it('the names of the tools are those of ucctl mcp', () => {
  expect(toolTable.map(({ name }) => name)).toEqual([...toolNames]);
});

it('the guide lists every tool that mcp-allow allows', () => {
  const guide = readFileSync('docs/guides/agents.md', 'utf8');
  const rows = [...guide.matchAll(/^\| `([a-z_]+)` \| (.+) \|$/gm)].map(([, name, title]) => [name, title]);
  const offered = toolTable.filter(({ access }) => access !== 'read').map(({ name, title }) => [name, title]);
  expect(rows).toEqual(offered);
});
