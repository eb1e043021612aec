import { firstNames } from '../../platform/first-names.ts';
import type { ReadyFile } from '../../sandbox/index.ts';

/**
 * Returns the text for a terminal: address, credentials and next commands. `command` runs this program in another
 * terminal (own-command.ts).
 */
export function readyText(ready: ReadyFile, command: string): string {
  const rows = ready.users.map(({ name, extension, username, password, role }) => [
    extension,
    name,
    username,
    password,
    role,
  ]);
  return [
    `Sandbox ready at ${ready.url} (web page and API; press Ctrl-C to stop)`,
    ...(ready.publicUrl === undefined ? [] : [`Public URL: ${ready.publicUrl}`]),
    `In another terminal${command.startsWith('npx ') ? ', in this folder' : ''}:`,
    `  eval "$(${command} sandbox env)"`,
    ...signInLines(ready, command),
    `  ${command} queue list`,
    '',
    ...table([['EXT', 'NAME', 'USERNAME', 'PASSWORD', 'ROLE'], ...rows]),
    `Call queues: ${queuesText(ready)}`,
    `Main number: ${ready.mainNumber}`,
  ].join('\n');
}

/** Number of queues in the text; `ucctl queue list` shows all. */
const mostQueues = 10;

function queuesText({ queues }: ReadyFile): string {
  const names = queues.map(({ name, extension }) => `${name} (${extension})`);
  return firstNames(names, mostQueues);
}

/** Width of a narrow terminal in columns. The terminal would wrap longer lines within a word. */
const terminalColumns = 80;

/**
 * Returns the commands that sign in as the administrator. The commands work in every dialect, and without a keychain. A
 * backslash splits a long command, so that a shell accepts the two lines as one command.
 */
function signInLines(ready: ReadyFile, command: string): readonly string[] {
  const administrator = ready.users.find(({ role }) => role === 'administrator') ?? ready.users[0];
  const { extension = '100' } = administrator ?? {};
  const start = `    ${command} login --flow jwt`;
  const rest = '--assertion-stdin --store file';
  const line = `${start} ${rest}`;
  return [
    `  ${command} sandbox assertion ${extension} |`,
    ...(line.length <= terminalColumns ? [line] : [`${start} \\`, `      ${rest}`]),
  ];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_title, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}
