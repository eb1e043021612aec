// Shows the main task on a local sandbox: assigns agents of a queue from a CSV file, sends a text, and prints the
// event that the service posted for it. Runs the tool as processes, as a user does; removes everything it created;
// stops at the first step that fails. Usage: npm run demo [-- COMMAND ARGUMENTS...]; COMMAND is another way to start ucctl.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

interface Ready {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly users: readonly {
    readonly username: string;
    readonly extension: string;
    readonly password: string;
    readonly role: string;
    readonly name: string;
  }[];
}

interface Finished {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Dana Okafor's direct number in the sandbox's small office. */
const colleague = '+16505550112';

const folder = await mkdtemp(join(tmpdir(), 'ucctl-demo-'));
const chosen = process.argv.slice(2);
const [command = process.execPath, ...words] =
  chosen.length > 0 ? chosen : [process.execPath, resolve('bin/ucctl.cjs')];
const running = new Set<ChildProcess>();
const terminal = process.stdout.isTTY;
const bold = (text: string): string => (terminal ? `\u001B[1m${text}\u001B[0m` : text);
const dim = (text: string): string => (terminal ? `\u001B[2m${text}\u001B[0m` : text);
const environment: Record<string, string> = {
  UCCTL_CONFIG_DIR: join(folder, 'config'),
  UCCTL_STATE_DIR: join(folder, 'state'),
  UCCTL_CACHE_DIR: join(folder, 'cache'),
  UCCTL_DATA_DIR: join(folder, 'data'),
  // The demo must not store an item in the user's keychain.
  UCCTL_STORE: 'file',
};

function start(args: readonly string[]): ChildProcess {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('UCCTL_')),
  );
  const child = spawn(command, [...words, ...args], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...inherited, ...environment },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function run(args: readonly string[], stdin = ''): Promise<Finished> {
  const child = start(args);
  child.stdin?.end(stdin);
  const [stdout, stderr, [exit]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { exit, stdout, stderr };
}

async function text(stream: NodeJS.ReadableStream | null): Promise<string> {
  let all = '';
  for await (const chunk of stream ?? []) all += String(chunk);
  return all;
}

/** Runs a command as a user would type it, and prints it with its output. */
async function step(
  title: string,
  args: readonly string[],
  options: { stdin?: string; quietErrors?: boolean } = {},
): Promise<void> {
  say(`\n${bold(title)}\n${dim(`$ ucctl ${args.map(quote).join(' ')}`)}`);
  const { exit, stdout, stderr } = await run(
    [...args, '--color', terminal ? 'always' : 'never'],
    options.stdin,
  );
  if (!options.quietErrors) say(stderr.trimEnd());
  say(stdout.trimEnd());
  if (exit !== 0)
    throw new Error(`this step failed with exit code ${exit}${options.quietErrors ? `: ${stderr}` : ''}`);
}

function say(line: string): void {
  if (line !== '') process.stdout.write(`${line}\n`);
}

function quote(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word}'`;
}

async function readWhenThere(file: string, writer: ChildProcess): Promise<string> {
  for (;;) {
    const content = await readFile(file, 'utf8').catch(() => '');
    if (content !== '') return content;
    if (writer.exitCode !== null)
      throw new Error(`the process exited with code ${writer.exitCode} before it wrote ${file}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

async function story(): Promise<void> {
  say(bold('ucctl demo: assign agents, send a text and receive its event in a local sandbox'));

  const readyFile = join(folder, 'sandbox.json');
  say(`\n${bold('1. Start the sandbox on this machine')}\n${dim('$ ucctl sandbox start --port 0')}`);
  const sandbox = start(['sandbox', 'start', '--port', '0', '--ready-file', readyFile, '-o', 'json']);
  const ready = JSON.parse(await readWhenThere(readyFile, sandbox)) as Ready;
  const administrator = ready.users.find(({ role }) => role === 'administrator');
  if (!administrator) throw new Error('the sandbox has no administrator');
  say(`The sandbox listens on ${ready.url}`);
  Object.assign(environment, {
    UCCTL_BASE_URL: ready.url,
    UCCTL_CLIENT_ID: ready.clientId,
    UCCTL_CLIENT_SECRET: ready.clientSecret,
  });

  await step(
    '2. Sign in as the administrator',
    ['login', '--flow', 'password', '--username', administrator.username, '--password-stdin', '-o', 'table'],
    { stdin: `${administrator.password}\n` },
  );
  await step('3. List the agents of the Support queue', ['queue', 'members', 'Support', '-o', 'table']);

  const csv = join(folder, 'agents.csv');
  await writeFile(csv, assignments(ready));
  say(`\n${bold('4. Apply a new rota from agents.csv')}\n${dim((await readFile(csv, 'utf8')).trimEnd())}`);
  await step('   Plan, apply and verify', [
    'queue',
    'assign',
    '--file',
    'agents.csv',
    '--yes',
    '-o',
    'table',
  ]);
  await step('5. List the agents after the change', ['queue', 'members', 'Support', '-o', 'table']);

  const listenerFile = join(folder, 'listener.json');
  say(
    `\n${bold('6. Listen for new messages')}\n${dim('$ ucctl webhook listen --events messages --count 1')}`,
  );
  const listener = start([
    'webhook',
    'listen',
    '--events',
    'messages',
    '--count',
    '1',
    '--ready-file',
    listenerFile,
    '-o',
    'ndjson',
  ]);
  const heard = text(listener.stdout);
  await readWhenThere(listenerFile, listener);
  say('The handshake succeeded; the listener is waiting for events.');

  await step('7. Send a text', [
    'sms',
    'send',
    '--to',
    colleague,
    'The new Support rota is live.',
    '--yes',
    '-o',
    'table',
  ]);

  const [line] = (await heard).trim().split('\n');
  if (!line) throw new Error('the listener received nothing');
  const event = JSON.parse(line) as { event: string; timestamp: string; body: unknown };
  say(`\n${bold('8. Show the event that the listener received')}`);
  say(`${event.timestamp}  ${event.event}\n${JSON.stringify(event.body, undefined, 2)}`);

  await step('9. Sign out', ['logout', '-o', 'table']);
  say(
    `\n${bold('Done.')} Next: run ucctl sandbox start in a separate terminal, and follow the first steps in README.md.`,
  );
}

/** Twelve rows over three queues: some agents are already members, some join, some leave. */
function assignments(ready: Ready): string {
  const agents = ready.users.filter(({ role }) => role === 'user').map(({ extension }) => extension);
  const rows = agents.flatMap((agent, index) => [
    `Support,${agent},${index % 3 === 2 ? 'remove' : 'add'}`,
    `Sales,${agent},${index % 2 === 0 ? 'add' : 'remove'}`,
    `Billing,${agent},add`,
  ]);
  return `queue,extension,action\n${rows.slice(0, 12).join('\n')}\n`;
}

async function cleanUp(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }),
  );
  await rm(folder, { recursive: true, force: true });
}

try {
  await story();
} catch (error) {
  process.stderr.write(`\ndemo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await cleanUp();
}
