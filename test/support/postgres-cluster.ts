import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresPrograms } from './postgres-programs.ts';
import { freePort } from './free-port.ts';
import { isRunFolder } from './run-folder.ts';
import { ServerProcess } from './server-process.ts';

/** A PostgreSQL server in its own folder, without durability, because no test simulates a power failure. */
export interface PostgresCluster {
  /** An address of the superuser without a database. */
  readonly url: string;
  readonly port: number;
  readonly data: string;
  /** Ends the server as a crash does, and waits for its end. */
  kill(): Promise<void>;
  /** Starts the server again after `kill`. */
  start(): Promise<void>;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

interface ClusterOptions {
  /** The folder below which the data is; it must be readable for other users. */
  readonly below?: string;
  /** The address to listen at. */
  readonly host?: string;
  /** Further settings of the server. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The server does not run as root. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = /^postgres:[^:]*:(\d+):(\d+)/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : { uid: 65_534, gid: 65_534 };
}

/** Creates a cluster and starts its server. `ucctl_password` is a user with the password "right". */
export async function startPostgres(options: ClusterOptions = {}): Promise<PostgresCluster> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed');
  const user = serverUser();
  const below = options.below ?? (existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
  const data = mkdtempSync(join(below, 'postgres-of-ucctl-'));
  chmodSync(data, 0o700);
  if (user) chownSync(data, user.uid, user.gid);
  const server = new Server(
    programs,
    data,
    options.host ?? '127.0.0.1',
    await freePort(),
    options.settings ?? {},
  );
  try {
    fill(data, programs);
    writeFileSync(
      join(data, 'pg_hba.conf'),
      'local all all trust\nhost all ucctl_password all scram-sha-256\nhost all all all trust\n',
    );
    await server.start();
  } catch (error) {
    await server.stop();
    throw error;
  }
  return server;
}

/**
 * Fills the folder of a new cluster. In a run of the tests, all clusters are copies of the first one, because initdb
 * takes ten times the processor time of a copy.
 */
function fill(data: string, programs: string): void {
  const first = join(tmpdir(), 'postgres-cluster');
  if (!isRunFolder()) return initialize(data, programs);
  if (existsSync(first)) return copy(first, data);
  initialize(data, programs);
  const own = `${first}-${process.pid}`;
  copy(data, own);
  try {
    renameSync(own, first);
  } catch {
    // Another worker made it at the same time.
    rmSync(own, { recursive: true });
  }
}

function initialize(data: string, programs: string): void {
  const login = ['-A', 'trust', '-U', 'postgres'];
  const words = [...login, '--no-sync', '--no-locale', '-E', 'UTF8', '--no-instructions'];
  const { status, stderr } = spawnSync(join(programs, 'initdb'), ['-D', data, ...words], {
    ...serverUser(),
    cwd: data,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`initdb: ${stderr}`);
}

/** Copies a folder with the owners and modes of its files. */
function copy(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  const { status, stderr } = spawnSync('cp', ['-a', `${from}/.`, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp: ${stderr}`);
}

class Server extends ServerProcess implements PostgresCluster {
  readonly url: string;
  readonly port: number;
  readonly data: string;
  readonly #programs: string;
  readonly #host: string;
  readonly #settings: Readonly<Record<string, string>>;

  constructor(
    programs: string,
    data: string,
    host: string,
    port: number,
    settings: Readonly<Record<string, string>>,
  ) {
    super(data);
    this.#programs = programs;
    this.data = data;
    this.port = port;
    this.#host = host;
    this.#settings = settings;
    this.url = `postgres://postgres@${host}:${port}`;
  }

  async start(): Promise<void> {
    const settings = {
      listen_addresses: this.#host,
      port: String(this.port),
      unix_socket_directories: this.data,
      fsync: 'off',
      full_page_writes: 'off',
      synchronous_commit: 'off',
      max_connections: '200',
      // Compiling a statement of the tests takes longer than its execution.
      jit: 'off',
      ...this.#settings,
    };
    const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // The shell ends the server when this process ends in any way, because its standard input then ends. It removes the folder if it read no
    // line, because nobody else does. A server without its lock file still ignores the signal. Without the trap, the shell would end before
    // the server when the terminal is closed.
    const script = `trap : HUP INT TERM
"$@" </dev/null & server=$!
read -r _ || left=1
while [ ! -e postmaster.pid ] && kill -0 $server 2>/dev/null; do sleep 0.1; done
kill -QUIT $server; wait $server
[ -z "$left" ] || rm -rf "$PWD"`;
    await this.run({
      name: 'postgres',
      script,
      words: [join(this.#programs, 'postgres'), '-D', this.data, ...words],
      user: serverUser(),
      ready: /ready to accept (read-only )?connections/,
    });
  }
}
