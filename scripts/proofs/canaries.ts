import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../src/sandbox/index.ts';
import { debugLines, tracedHttp } from '../../src/client/trace/index.ts';
import { SentSecrets } from '../../src/platform/sent-secrets.ts';
import type { HttpReply } from '../../src/client/index.ts';
import type { Result } from './result.ts';

const number = '+16505550112';

/**
 * Sends every kind of secret in every place of a request and its reply through the function that masks secrets; then
 * runs commands as processes with both trace flags.
 */
export async function run(): Promise<readonly Result[]> {
  const masked = await maskedHits();
  const spawned = await spawnedHits();
  return [
    {
      promise: 'every secret is masked',
      figure: `${masked.length} of ${canaries.length} seen ${masked.join(', ')}`,
      holds: masked.length === 0,
    },
    {
      promise:
        'no secret in output, traces, files outside the token store, or arguments of ucctl and its child processes',
      figure: `${spawned.hits.length} hits of ${spawned.secrets} secrets in ${spawned.commands} commands, ${spawned.exchanges} traced requests, ${spawned.processes} command lines ${spawned.hits.join(', ')}`,
      holds:
        spawned.hits.length === 0 &&
        spawned.exchanges > spawned.commands &&
        spawned.processes > spawned.commands,
    },
    {
      promise: 'under umask 000, other users cannot read any file of the program',
      figure: `${spawned.open.length} of ${spawned.made} files and folders ${spawned.open.join(', ')}`,
      holds: spawned.open.length === 0 && spawned.made > 0,
    },
    {
      promise: 'every command ends with its expected exit code',
      figure: `${spawned.odd.length} ended with another exit code ${spawned.odd.join('; ')}`,
      holds: spawned.odd.length === 0,
    },
  ];
}

const canaries = [
  'canaryAccessToken1',
  'canaryRefreshToken2',
  'canaryPassword3',
  'canaryClientSecret4',
  'canaryCode5',
  'canaryCookie6',
  'canaryEncryptionKey7',
  'canarySubscriberKey8',
  'canarySecretKey9',
  'canarySyncToken10',
  'canaryText11',
  '+15550001212',
] as const;

async function maskedHits(): Promise<readonly string[]> {
  const [
    access,
    refresh,
    password,
    secret,
    code,
    cookie,
    encryption,
    subscriber,
    secretKey,
    sync,
    body11,
    phone,
  ] = canaries;
  const lines: string[] = [];
  const reply: HttpReply = {
    status: 200,
    header: (name) => (name === 'content-type' ? 'application/json' : undefined),
    headers: { 'set-cookie': cookie, 'x-other': secret, location: `https://x.example/cb?code=${code}` },
    text: () =>
      Promise.resolve(
        JSON.stringify({
          access_token: access,
          refresh_token: refresh,
          subject: body11,
          message: `echo ${password}`,
          syncInfo: { syncToken: sync },
          deliveryMode: {
            encryptionKey: encryption,
            subscriberKey: subscriber,
            secretKey,
            address: `https://x/${secret}`,
          },
          from: { phoneNumber: phone },
          uri: `https://x.example/restapi/v1.0/y?access_token=${access}`,
        }),
      ),
    async *bytes() {
      yield new Uint8Array();
    },
    discard: () => Promise.resolve(),
  };
  const http = tracedHttp(() => Promise.resolve(reply), {
    now: () => 0,
    elapsed: () => 0,
    sent: new SentSecrets(),
    sinks: [(exchange) => lines.push(debugLines(exchange), JSON.stringify(exchange))],
  });
  const bodies = [
    [
      new URLSearchParams({
        password,
        code,
        refresh_token: refresh,
        client_secret: secret,
        username: phone,
      }).toString(),
      'application/x-www-form-urlencoded',
    ],
    [JSON.stringify({ text: body11, to: [{ phoneNumber: phone }], password }), 'application/json'],
    [`--x\r\n${body11} ${phone}`, 'multipart/form-data'],
  ] as const;
  for (const [body, type] of bodies) {
    const url = new URL(
      `https://service.example/restapi/v1.0/account/${phone}/x?syncToken=${sync}&code=${code}&access_token=${access}&phoneNumber=${encodeURIComponent(phone)}`,
    );
    const headers = { authorization: `Bearer ${access}`, cookie, 'content-type': type, 'x-api-key': secret };
    await (await http({ method: 'POST', url, headers, body, timeoutMilliseconds: 1 })).text();
  }
  const hook = new URL(`https://hooks.example/webhook/${secret}`);
  await (await http({ method: 'POST', url: hook, headers: {}, body: body11, timeoutMilliseconds: 1 })).text();
  const seen = lines.join('\n');
  return canaries.filter((canary) => seen.includes(canary) || seen.includes(encodeURIComponent(canary)));
}

interface Command {
  readonly argv: readonly string[];
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The command's own output may show these texts, its trace may not. */
  readonly showsTexts?: true;
  readonly exit?: number;
  /** Send Ctrl-C once the output matches, for commands that run until they are interrupted. */
  readonly interrupt?: RegExp;
}

/** Placeholder for the id of the chat webhook that an earlier command created. */
const madeWebhook = '{webhook}';
const text = 'canaryText11';
const wrong = {
  password: 'canaryWrongPassword21',
  secret: 'canaryWrongSecret22',
  token: 'canaryWrongToken23',
  assertion: 'eyJhbGciOiJSUzI1NiJ9.canaryAssertion24.c2ln',
  verification: 'canaryVerification25',
  proxy: 'canaryProxyPassword26',
} as const;

/** A working day, with sign-in, sign-out and typical errors; each command runs with both trace flags. */
function workingDay(username: string, password: string, folder: string): readonly Command[] {
  const login = ['login', '--flow', 'password', '--username', username, '--password-stdin'];
  const store = 'account/~/extension/~/message-store';
  return [
    { argv: login, stdin: `${wrong.password}\n`, exit: 4 },
    { argv: login, stdin: `${password}\n`, env: { UCCTL_CLIENT_SECRET: wrong.secret }, exit: 4 },
    { argv: ['login', '--flow', 'jwt', '--assertion-stdin'], stdin: `${wrong.assertion}\n`, exit: 4 },
    { argv: login, stdin: `${password}\n`, exit: 0 },
    { argv: ['status', '-o', 'json'], exit: 0 },
    {
      argv: ['config', 'list', '--show-origin'],
      env: { UCCTL_VERIFICATION_TOKEN: wrong.verification },
      exit: 0,
    },
    { argv: ['profile', 'show'], exit: 0 },
    { argv: ['queue', 'list'], exit: 0 },
    { argv: ['queue', 'list'], env: { UCCTL_TOKEN: wrong.token }, exit: 4 },
    {
      argv: ['queue', 'list', '--quiet'],
      env: { HTTPS_PROXY: `http://u:${wrong.proxy}@127.0.0.1:9` },
      exit: 0,
    },
    { argv: ['presence', 'show'], exit: 0 },
    { argv: ['presence', 'set', '--message', text, '--yes'], showsTexts: true, exit: 0 },
    { argv: ['sms', 'send', '--to', number, '-f', '-', '--yes'], stdin: text, showsTexts: true, exit: 0 },
    { argv: ['sms', 'send', '--to', number, '-f', '-', '--dry-run'], stdin: text, showsTexts: true, exit: 0 },
    { argv: ['pager', 'send', '--to', '102', '-f', '-', '--yes'], stdin: text, showsTexts: true },
    { argv: ['fax', 'send', '--to', number, join(folder, 'fax.txt'), '--yes'], exit: 0 },
    { argv: ['ringout', 'start', '--to', number, '--yes', '--timeout', '1'] },
    { argv: ['message', 'list', '-o', 'json'], showsTexts: true, exit: 0 },
    { argv: ['calllog', 'list'], exit: 0 },
    { argv: ['calllog', 'sync', '--database', join(folder, 'copy.sqlite')], exit: 0 },
    { argv: ['sync', '--media', '--database', join(folder, 'copy.sqlite')], exit: 0 },
    { argv: ['download', '--fax', '--since', '1d', '-d', join(folder, 'files')] },
    { argv: ['api', store, '--paginate', '-o', 'json', '--fields', 'id'], exit: 0 },
    { argv: ['api', 'account/~/extension/1'], exit: 3 },
    { argv: ['subscribe', 'create', '--events', 'presence', '--transport', 'channel', '--encrypt'], exit: 0 },
    { argv: ['subscribe', 'list', '-o', 'json'], exit: 0 },
    { argv: ['subscribe', 'tail', '--events', 'messages'], interrupt: /Ready: watching/, exit: 0 },
    { argv: ['login'], env: { BROWSER: 'true' }, interrupt: /Sign in at:/ },
    { argv: ['webhook', 'create', '--group', '3301'], exit: 0 },
    { argv: ['webhook', 'list', '-o', 'json'], exit: 0 },
    {
      argv: ['webhook', 'post', madeWebhook, '--body', '-', '--yes'],
      stdin: text,
      showsTexts: true,
      exit: 0,
    },
    { argv: ['outcome', 'list'], exit: 0 },
    { argv: ['doctor'] },
    { argv: ['logout', '--verify'], exit: 0 },
    { argv: ['queue', 'list'], exit: 4 },
  ];
}

async function spawnedHits(): Promise<Spawned> {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-proof-'));
  const sandbox = await startSandbox({ clock: 'real' });
  try {
    const { clientId, clientSecret, users } = sandbox.ready;
    const { username = '', password = '' } = users.find(({ role }) => role === 'administrator') ?? {};
    const [log, watcher] = [join(folder, 'argv.log'), join(folder, 'watch.cjs')];
    writeFileSync(watcher, argvWatcher(log));
    writeFileSync(join(folder, 'fax.txt'), text);
    const config = join(folder, 'config');
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      NODE_OPTIONS: `--require ${watcher}`,
      UCCTL_CONFIG_DIR: config,
      UCCTL_STATE_DIR: join(folder, 'state'),
      UCCTL_CACHE_DIR: join(folder, 'cache'),
      UCCTL_DATA_DIR: join(folder, 'data'),
      UCCTL_STORE: 'file',
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_CLIENT_ID: clientId,
      UCCTL_CLIENT_SECRET: clientSecret,
    };
    const secrets = new Map([
      ['the password', password],
      ['the client secret', clientSecret],
      ...Object.entries(wrong).map(([name, value]) => [`a rejected ${name}`, value] as const),
    ]);
    const seen: { readonly where: string; readonly text: string; readonly hasTexts: boolean }[] = [];
    const odd: string[] = [];
    let exchanges = 0;
    let webhook = '';
    const commands = workingDay(username, password, folder);
    for (const [index, command] of commands.entries()) {
      const { stdin = '', showsTexts = false, interrupt } = command;
      const argv = command.argv.map((word) => (word === madeWebhook ? webhook : word));
      const trace = join(folder, `${index}.har`);
      const where = argv.slice(0, 2).join(' ');
      // The sandbox runs in this process, which therefore must not block while the command runs.
      const args = ['bin/ucctl.cjs', ...argv, '--debug=http', '--trace-file', trace];
      const { exit, output } = await spawned(args, { ...env, ...command.env }, stdin, interrupt);
      if (interrupt && !interrupt.test(output)) odd.push(`${where} did not show ${String(interrupt)}`);
      if (command.exit !== undefined && exit !== command.exit)
        odd.push(`${where} ended with ${exit}: ${output.trim().split('\n').at(-1)}`);
      if (where === 'webhook create')
        webhook = /[0-9a-f-]{36}/.exec(output.replaceAll(/^[<>].*$/gm, ''))?.[0] ?? '';
      const har = readIfThere(trace);
      exchanges += har.split('"startedDateTime"').length - 1;
      seen.push(
        { where, text: output, hasTexts: showsTexts },
        { where: `trace of ${where}`, text: har, hasTexts: false },
      );
      for (const secret of storedSecrets(join(config, 'sessions')))
        secrets.set(`stored secret ${secret.slice(0, 3)}`, secret);
    }
    seen.push({ where: 'argv', text: readFileSync(log, 'utf8'), hasTexts: false });
    seen.push(
      ...storedFiles(folder).map((file) => ({
        where: file,
        text: readFileSync(file, 'latin1'),
        hasTexts: true,
      })),
    );
    const hits: string[] = [];
    for (const { where, text: shown, hasTexts } of seen) {
      for (const [name, secret] of secrets)
        if (secret !== '' && shown.includes(secret)) hits.push(`${name} in ${where}`);
      if (!hasTexts && where !== 'argv' && shown.includes(text)) hits.push(`a text in ${where}`);
    }
    return {
      commands: commands.length,
      secrets: secrets.size,
      exchanges,
      processes: readFileSync(log, 'utf8').split('\n').length - 1,
      hits,
      odd,
      ...modes(folder),
    };
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Spawned {
  readonly commands: number;
  readonly secrets: number;
  readonly exchanges: number;
  readonly processes: number;
  readonly hits: readonly string[];
  /** Commands that ended with an unexpected exit code, so that the proof did not cover their usual output. */
  readonly odd: readonly string[];
  /** Files and folders that the commands created. */
  readonly made: number;
  /** Created files and folders that other users can read. */
  readonly open: readonly string[];
}

/** All files of the program: its folders, traces and the mailbox copy, without input files and downloads. */
function modes(folder: string): Pick<Spawned, 'made' | 'open'> {
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(config|state|cache|data|copy\.sqlite|\d+\.har)/.test(name),
  );
  const open = own.filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);
  return { made: own.length, open };
}

/** Code that writes the arguments of its process, and of every process that it starts, to a file. */
function argvWatcher(log: string): string {
  return `const { appendFileSync } = require('node:fs');
const children = require('node:child_process');
const note = (argv) => appendFileSync(${JSON.stringify(log)}, JSON.stringify(argv) + '\\n');
note(process.argv);
const { spawn } = children.ChildProcess.prototype;
children.ChildProcess.prototype.spawn = function (options) { note(options.args); return spawn.call(this, options); };
const { spawnSync } = children;
children.spawnSync = (...given) => { note(given.slice(0, 2)); return spawnSync(...given); };
`;
}

async function spawned(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  stdin: string,
  interrupt?: RegExp,
): Promise<{ readonly exit: number | null; readonly output: string }> {
  const open = ['-c', 'umask 000; exec "$0" "$@"', process.execPath];
  const child = spawn('sh', [...open, ...args], { env, stdio: 'pipe' });
  const timer = setTimeout(() => child.kill('SIGINT'), 30_000);
  let output = '';
  let isInterrupted = false;
  const read = (piece: Buffer): void => {
    output += piece.toString();
    if (isInterrupted || !interrupt?.test(output)) return;
    isInterrupted = true;
    child.kill('SIGINT');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const exit = await new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  clearTimeout(timer);
  return { exit, output };
}

function readIfThere(file: string): string {
  try {
    const content = readFileSync(file, 'utf8');
    JSON.parse(content);
    return content;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** All files that the commands left, except the token store, the traces and input files. */
function storedFiles(folder: string): readonly string[] {
  return filesBelow(folder).filter(
    (file) => !/\/config\/sessions\/|\.har$|\/argv\.log$|\/watch\.cjs$/.test(file),
  );
}

/** Secrets in the token store: tokens, keys of subscriptions, addresses of chat webhooks. */
function storedSecrets(folder: string): readonly string[] {
  const patterns = [
    /"(?:accessToken|refreshToken|encryptionKey|subscriberKey|secretKey)":\s*"([^"]{8,})"/g,
    /\/webhook\/v2\/([\w-]{16,})/g,
  ];
  return filesBelow(folder).flatMap((file) => {
    const content = readFileSync(file, 'utf8');
    return patterns.flatMap((pattern) => Array.from(content.matchAll(pattern), ([, secret]) => secret ?? ''));
  });
}
