import type { ReadyFile } from '../../sandbox/index.ts';
import { acceptsPassword } from './environment.ts';

/** The text for a terminal: address, credentials and next commands. `command` runs this program in another terminal (own-command.ts). */
export function readyText(ready: ReadyFile, command: string): string {
  const rows = ready.users.map(({ name, extension, username, password, role }) => [
    extension,
    name,
    username,
    password,
    role,
  ]);
  const queues = ready.queues.map(({ name, extension }) => `${name} (${extension})`).join(', ');
  return [
    `Sandbox ready at ${ready.url} (press Ctrl-C to stop)`,
    `In another terminal${command.startsWith('npx ') ? ', in this folder' : ''}:`,
    `  eval "$(${command} sandbox env)"`,
    ...signInLines(ready, command),
    `  ${command} queue list`,
    '',
    ...table([['EXT', 'NAME', 'USERNAME', 'PASSWORD', 'ROLE'], ...rows]),
    `Call queues: ${queues}`,
    `Main number: ${ready.mainNumber}`,
  ].join('\n');
}

/** The commands that sign in as the administrator: by password, or with an assertion where passwords are rejected. */
function signInLines(ready: ReadyFile, command: string): readonly string[] {
  const administrator = ready.users.find(({ role }) => role === 'administrator') ?? ready.users[0];
  const { extension = '100', username = '', password } = administrator ?? {};
  if (acceptsPassword(ready)) return [`  # password: ${password}`, ...loginLines(command, username)];
  return [
    `  ${command} sandbox assertion ${extension} |`,
    `    ${command} login --flow jwt --assertion-stdin --store file`,
  ];
}

/** Width of a narrow terminal in columns. It would wrap a longer line within a word. */
const terminalColumns = 80;

/** The sign-in, which also works without a keychain. A long command is split by a backslash, so that a shell still accepts it. */
function loginLines(command: string, username: string): readonly string[] {
  const start = `  ${command} login --flow password`;
  const rest = `--username ${username} --store file`;
  const line = `${start} ${rest}`;
  return line.length <= terminalColumns ? [line] : [`${start} \\`, `    ${rest}`];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_title, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
  );
}
