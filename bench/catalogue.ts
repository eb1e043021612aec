import type { Outcome } from './report.ts';
import type { Note } from './results.ts';

/** The benchmarks. `note` records values that have no goal. */
export type Benchmark = (note: (note: Note) => void) => Promise<readonly Outcome[]>;

export interface Entry {
  readonly load: () => Promise<Benchmark>;
  /** Programs without which the benchmark is skipped. */
  readonly needs?: readonly string[];
  /** Programs that are compared when they are installed. */
  readonly peers?: readonly string[];
  /**
   * What the figures are compared with: a limit, which no program can beat here, or a peer, which a user could use
   * instead.
   */
  readonly against: string;
  /** How the figures are measured. */
  readonly how: string;
  /** Runs only when it is named on the command line. */
  readonly byName?: boolean;
}

export const catalogue: Readonly<Record<string, Entry>> = {
  startup: {
    load: () => import('./startup.ts').then((module) => module.startup),
    against: 'limit: `node -e 0`; peers: the commands of UCCTL_BENCH_PEER',
    how: 'The benchmark measures the processor time of whole commands (user and system, children included). ucctl and the other command run alternately in 15 rounds after one warm-up each. `NODE_EXTRA_CA_CERTS` is unset. The completion offers queues that an earlier command stored, and writes to a pipe, as in a shell. The kernel reports the peak memory. The additional time of the keychain is the difference in wall time with and without UCCTL_TOKEN, measured in pairs.',
  },
  nodes: {
    load: () => import('./node-versions.ts').then((module) => module.nodeVersions),
    against: 'limit: `node -e 0` of the same version',
    how: 'npm downloads Node 22 and 24. The benchmark measures the processor time of whole commands as `startup` does.',
  },
  executable: {
    load: () => import('./executable.ts').then((module) => module.executable),
    against: 'limit: `node -e 0` of the Node in the executable; for one request, curl, which is a C program',
    how: 'The benchmark builds the single executable, and then measures the processor time of whole commands as `startup` does. For one request, the benchmark measures the time from start to end of `queue list -o json` and of curl with the same request, alternately in 15 rounds after one warm-up each.',
  },
  sandbox: {
    load: () => import('./sandbox.ts').then((module) => module.sandbox),
    against: 'limit: a bare `node:http` server that sends the same bytes',
    how: 'A separate load generator sends requests on 64 persistent connections, in 5 rounds of 2 s. The sandbox and the bare server are measured alternately. To measure notifications, the benchmark makes one change that affects 10,000 subscriptions.',
  },
  client: {
    load: () => import('./client.ts').then((module) => module.client),
    needs: ['curl'],
    against: 'peers: `curl --parallel-max 16`; for pages, curl with sequential requests',
    how: 'The library runs in a separate process against a server that responds after 20 ms. The benchmark measures 3 pairs after one warm-up each.',
  },
  queue: {
    load: () => import('./queue.ts').then((module) => module.queue),
    against: 'goals in seconds and MB',
    how: 'The whole program, start-up included, makes 10,000 assignments in 200 queues of the fixture `enterprise` (10,000 extensions), without rate limits.',
  },
  sync: {
    load: () => import('./sync.ts').then((module) => module.sync),
    against:
      'limits: `JSON.parse` of the whole reply; a program that uses only SQLite and writes parsed records to the same tables, indexes and full-text index',
    how: 'The whole program, start-up included, copies one unpaged reply of 1,000,000 records from a separate server. Then the benchmark runs 200 searches in the copy.',
  },
  mailboxes: {
    load: () => import('./mailboxes.ts').then((module) => module.mailboxes),
    against:
      'peer: the same command with `--concurrency 1`; limit: a bare program that makes the same requests and stores nothing; a minimal program that also stores the replies, for comparison',
    how: 'The whole program copies the 2,000 mailboxes of the fixture `call-center` from a sandbox without rate limits. The benchmark alternately measures a run with one mailbox at a time, a run with 8 mailboxes at a time, and the bare and minimal programs with 8 connections, in 3 rounds after one warm-up. The minimal program uses undici without retries and rate limits, and stores each mailbox in one SQLite transaction.',
  },
  download: {
    load: () => import('./download.ts').then((module) => module.download),
    needs: ['curl'],
    peers: ['aria2c'],
    against:
      'peers: curl and `aria2c -x8`; limit: the throughput of 8 connections to a server that limits the speed of each connection',
    how: 'ucctl and its peers run alternately as whole programs, in 3 rounds, against a server that supports ranges, with a warm page cache.',
  },
  calllog: {
    load: () => import('./calllog.ts').then((module) => module.calllog),
    against: 'peer: the same command with 200,000 records',
    how: 'The benchmark reads the peak memory of the whole program from the kernel.',
  },
  fleet: {
    load: () => import('./fleet.ts').then((module) => module.fleet),
    against: 'peer: one worker',
    how: 'The workers are separate processes with a PostgreSQL server on the same machine. They copy 800 mailboxes of the fixture `call-center` from a sandbox without rate limits into an empty store. The benchmark measures 1, 2 and 4 workers alternately, in 3 rounds. The processor time includes workers and database, but not the sandbox.',
  },
  receivers: {
    load: () => import('./receivers.ts').then((module) => module.receivers),
    needs: ['nats-server'],
    against:
      'limit: a bare `node:http` server that stores nothing; the inbox of `webhook listen` without `--sink`',
    how: 'The benchmark starts a PostgreSQL server and a NATS server on the same machine. PostgreSQL commits durably. JetStream uses its default setting, which syncs the disk later. One receiver gets notifications of 1,489 bytes on 32 connections. At the highest rate, the benchmark measures receiver and bare server alternately, in 5 rounds of 2 s after one warm-up. At a fixed rate, it measures receiver and inbox alternately, in 3 rounds of 10 s after one warm-up each. Then 1, 2 and 4 receivers share the PostgreSQL store, with 32 connections each, alternately in 5 rounds of 2 s. The processor time of an event is that of the receivers and of the database.',
  },
  store: {
    load: () => import('./store.ts').then((module) => module.store),
    against:
      'limits: one COPY of the same rows into a table with the same indexes; SQLite with the same views for the reports',
    how: 'The benchmark starts a PostgreSQL server with durable commits. As `calllog sync` does, it stores the call records in pages of 1,000, each page in one transaction. The reports run alternately on both stores, in 5 rounds after one warm-up. Each class of searches has 40 searches. A search returns the newest 50 of 1,000,000 messages in 1,000 mailboxes.',
  },
  listener: {
    load: () => import('./listener.ts').then((module) => module.listener),
    against: 'limit: a bare `node:http` server that replies 200 and stores nothing',
    how: 'The benchmark sends notifications of 1,489 bytes on 32 persistent connections. ucctl stores each notification on disk before it replies 200. The listener and the bare server are measured alternately.',
  },
  socket: {
    load: () => import('./socket.ts').then((module) => module.socket),
    against: 'peer: a minimal client with the package `ws`, which parses every frame and stores nothing',
    how: 'A separate server sends notifications of 1,489 bytes through one WebSocket. `ucctl webhook listen` stores each notification on disk. To measure the rate, the benchmark reads the inbox. To measure the latency, both clients print every notification. The two clients are measured alternately, in 7 rounds after one warm-up.',
  },
  live: {
    load: () => import('./live.ts').then((module) => module.live),
    against:
      'peers: receivers with `node:http` and with `ws`, which parse and print every event and store nothing',
    how: 'A separate service sends events of about 1,400 bytes to `webhook listen` and to a bare receiver, alternately in 3 rounds after one warm-up each, first 10 and then 500 events per second. The time begins when the service sends an event. The time ends when its line can be read from the output of the receiver. The result is the difference between ucctl and the bare receiver.',
  },
  embedded: {
    load: () => import('./embedded.ts').then((module) => module.embedded),
    against: 'goals in ms and MB',
    how: 'A process imports the library and starts 26 sandboxes with default options, one after another, as a test file does. All sandboxes stay open. The time of the first sandbox includes the import. The memory of a further sandbox is the growth of the process over the last 20 sandboxes, after a garbage collection. The benchmark measures 5 processes.',
  },
  screen: {
    load: () => import('./first-screen.ts').then((module) => module.firstScreen),
    needs: ['chromium', 'curl'],
    against: 'goal in ms',
    how: 'The benchmark runs `ucctl sandbox start --open`. The program that ucctl starts as the browser passes the address to a Chromium that is already open. The time begins with the start of ucctl and ends when the page shows the first phone. The benchmark measures 7 rounds after one warm-up.',
  },
  checkout: {
    load: () => import('./checkout.ts').then((module) => module.checkout),
    needs: ['git', 'npm'],
    against: 'goals in seconds',
    how: "The benchmark clones the current commit into an empty folder. The packages are in npm's cache. `npm ci && npm run demo` is measured once, and then `npm test` in the same clone. A reduced run tests only one file.",
    byName: true,
  },
  console: {
    load: () => import('./console.ts').then((module) => module.consolePage),
    needs: ['chromium'],
    against: 'limit: the same page with one fixed row; goals in ms and MB',
    how: "Chromium opens the page of a sandbox with 10,000 extensions, 1,000,000 messages and 100,000 events. The benchmark measures each view with all rows and the same view with one fixed row alternately, in 9 rounds after one warm-up. The time of a search does not include the time of the server. The memory figure is the size of the page's heap after a garbage collection.",
    byName: true,
  },
  scale: {
    load: () => import('./scale.ts').then((module) => module.scaling),
    against: 'limit: linear growth',
    how: 'Whole programs do 1, 10 and 100 times the work, in 3 rounds after one warm-up. The result is the exponent of the last tenfold step. `queue plan` holds the whole plan in memory. The memory use of the other commands must not grow.',
    byName: true,
  },
  profile: {
    load: () => import('./profile.ts').then((module) => module.profile),
    against: 'none; this benchmark has no goals',
    how: "Node's sampling profiler measures `--help`, `queue list` and `sms send`. The results are medians of 9 runs with cached compiled code.",
    byName: true,
  },
  day: {
    load: () => import('./day.ts').then((module) => module.day),
    against: 'limits: no rejected request, no lost event, no growth of memory',
    how: 'The `call-center` sandbox applies the rate limits of the service for ten minutes. One user applies 2,000 assignments, reads the pages of the call log with three scripts, copies 200 mailboxes and receives 50 events a second. The sandbox counts rejected requests. The benchmark compares the uuids of the events in the outbox of the sandbox with the uuids in the inbox. It reads the memory use of each process once a second.',
    byName: true,
  },
};
