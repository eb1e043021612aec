// Checks `ucctl mcp --sandbox` with the command-line mode of the official inspector, which needs Node 22 or later. npx
// installs both into its cache, whatever Node runs this script. Usage: npm run check:mcp
import { spawnSync } from 'node:child_process';
import { execPath } from 'node:process';
import { toolTable } from '../src/commands/mcp/tool-table.ts';
import { isJsonObject, parseJson } from '../src/platform/json.ts';
import { unlessRequired } from '../test/support/required.ts';
import { nodeVersion } from './release/targets.ts';

const inspector = '@modelcontextprotocol/inspector@2.12.0';
const serverCommand = `${JSON.stringify(execPath)} bin/ucctl.cjs mcp --sandbox`;

interface Reply {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a shell command line with the inspector and its Node on the path. */
function withInspector(line: string): Reply {
  // The .npmrc of the project would reject the inspector on Node 20, although it runs on the Node that is installed with it.
  const install = ['--yes', '--engine-strict=false'];
  const args = [...install, '--package', `node@${nodeVersion}`, '--package', inspector, '--call', line];
  const { status, stdout, stderr } = spawnSync('npx', args, { encoding: 'utf8' });
  return { exit: status, stdout, stderr };
}

function ask(method: string, ...options: readonly string[]): Readonly<Record<string, unknown>> {
  const line = ['mcp-inspector --cli', serverCommand, '--method', method, ...options].join(' ');
  const { exit, stdout, stderr } = withInspector(line);
  const reply = exit === 0 ? parseJson(stdout) : undefined;
  if (!isJsonObject(reply)) throw new Error(`${method}: exit ${exit}\n${stdout}\n${stderr}`);
  return reply;
}

function namesIn(list: unknown): readonly string[] {
  const entries: readonly unknown[] = Array.isArray(list) ? list : [];
  return entries.map((entry) => (isJsonObject(entry) ? String(entry['name']) : ''));
}

const checks: readonly (readonly [string, () => boolean])[] = [
  [
    'lists the reading tools, and their schemas have no warning',
    () => {
      const names = namesIn(ask('tools/list', '--strict')['tools']);
      return toolTable.filter(({ name }) => name.endsWith('_read')).every(({ name }) => names.includes(name));
    },
  ],
  [
    'calls a tool',
    () => {
      const reply = ask('tools/call', '--tool-name queue_read', "--tool-arg 'command=queue list'");
      const content = reply['structuredContent'];
      return (
        isJsonObject(content) &&
        content['status'] === 'done' &&
        namesIn(content['result']).includes('Support')
      );
    },
  ],
  ['lists the resources', () => namesIn(ask('resources/list')['resources']).includes('help-exit-codes')],
  ['lists the prompts', () => namesIn(ask('prompts/list')['prompts']).includes('developer')],
];

const installed = withInspector('node --version');
if (installed.exit !== 0) {
  unlessRequired('npm-cache', `npx cannot install the MCP inspector:\n${installed.stderr}`);
} else {
  for (const [what, check] of checks) {
    const holds = check();
    process.stdout.write(`${holds ? 'ok' : 'FAILED'}: the inspector ${what}\n`);
    if (!holds) process.exitCode = 1;
  }
}
