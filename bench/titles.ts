type Rule = readonly [pattern: RegExp, title: string];

/**
 * Titles of results by benchmark. Files of results contain the names on the left, which also identify a result in the
 * runs of earlier versions, so only the titles change.
 */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  startup: [
    [/^(--\w+), of that of peer (\d+), (.+)$/, '`$1`: $3, relative to peer $2'],
    [/^(--\w+)$/, '`$1`: processor time, relative to `node -e 0`'],
    [/^help of a noun$/, '`queue --help`: processor time, relative to `node -e 0`'],
    [
      /^one request, json, token from the (\w+)$/,
      'One request with JSON output, token from the $1: processor time',
    ],
    [/^one request, table$/, 'One request with a table as output: processor time'],
    [/^one request, minimal program with (.+)$/, 'Limit: a minimal program with $1 sends the same request'],
    [
      /^minimal program that only reads an item of the keychain$/,
      'Limit: a minimal program only reads an item of the keychain',
    ],
    [
      /^completion with values from the cache$/,
      'First answer of a completion with names from the cache: processor time, relative to `node -e 0`',
    ],
    [/^peak memory of one request$/, 'Peak memory of `queue list`, relative to `node -e 0`'],
    [/^reading the token from the keychain adds$/, 'Additional time to read the token from the keychain'],
  ],
  nodes: [
    [/^Node (\S+), (--version)$/, 'Node $1: `$2`, processor time'],
    [/^Node (\S+), help of a noun$/, 'Node $1: `queue --help`, processor time'],
    [/^Node (\S+), one request, json$/, 'Node $1: one request with JSON output, processor time'],
    [/^Node (\S+), one request, table$/, 'Node $1: one request with a table as output, processor time'],
  ],
  executable: [
    [
      /^executable, one request, wall time relative to curl$/,
      'Single executable, one request: time, relative to curl',
    ],
    [
      /^minimal program with (\S+), wall time relative to curl$/,
      'Limit: the same request by a minimal program with $1',
    ],
    [/^node -e 0, wall time relative to curl$/, 'Limit: `node -e 0`, which sends no request'],
    [/^executable, (.+)$/, 'Single executable, `$1`: processor time, relative to `node -e 0` of its Node'],
  ],
  sandbox: [
    [/^start to ready, empty database$/, 'Start with an empty database, until ready'],
    [/^start to ready, enterprise database$/, 'Start with the database of `enterprise`, until ready'],
    [
      /^start to ready, enterprise database made$/,
      'Start that creates the database of `enterprise`, until ready',
    ],
    [/^presence GET, of a bare server$/, 'Throughput of presence reads, relative to a bare server'],
    [/^sms POST, durable$/, 'Texts accepted and stored on disk'],
    [/^notifications delivered$/, 'Notifications delivered'],
  ],
  client: [
    [
      /^(\d+) POSTs, (\d+) at a time, pooled, to curl$/,
      '$1 POST requests, $2 concurrent, on pooled connections: speed relative to curl',
    ],
    [
      /^pooled, minimal program with undici, to curl$/,
      'Limit: these POST requests by a minimal program with undici',
    ],
    [/^the same on fresh connections$/, 'POST requests on new connections: speed relative to curl'],
    [
      /^fresh connections, minimal program with undici, to curl$/,
      'Limit: the same POST requests by a minimal program with undici',
    ],
    [/^(\d+) pages of 33 KB in order, to curl$/, '$1 sequential pages of 33 KB: speed relative to curl'],
    [/^peak memory$/, 'Peak memory of the client'],
  ],
  queue: [
    [
      /^plan of ([\d,]+) assignments over (\d+) queues(, dialect \w+)?$/,
      'Planning $1 assignments in $2 queues$3',
    ],
    [/^its peak memory(, dialect \w+)?$/, 'Peak memory of planning$1'],
    [
      /^apply, (\d+) requests and (\d+) readings of members(, dialect \w+)?$/,
      'Applying the plan: $1 requests and $2 reads of members$3',
    ],
    [/^its peak memory (, dialect \w+)?$/, 'Peak memory of applying$1'],
    [/^apply again, nothing to change(, dialect \w+)?$/, 'Applying the plan again, without changes$1'],
  ],
  fleet: [
    [
      /^processor time of a mailbox with (\d) workers \(([\d.]+ ms)\), of that with one \(([\d.]+ ms)\)$/,
      'Processor time to copy a mailbox with $1 workers ($2), relative to one worker ($3)',
    ],
    [/^speed of 2 workers, of one$/, 'Speed of two workers, relative to one'],
  ],
  receivers: [
    [
      /^durable acknowledgement in (\w+), of a bare server$/,
      'Throughput with every event in $1, relative to a bare server',
    ],
    [
      /^99th percentile in (\w+) at (\d+)\/s \(([\d.]+ ms)\), of the inbox$/,
      'Latency in $1 at $2 events per second, 99th percentile ($3), relative to the inbox',
    ],
    [
      /^processor time of an event with (\d) receivers \((\d+) us\), of that with one \((\d+) us\)$/,
      'Processor time of an event with $1 receivers ($2 µs), relative to one receiver ($3 µs)',
    ],
    [/^speed of 2 receivers, of one$/, 'Speed of two receivers, relative to one'],
  ],
  sync: [
    [
      /^parser, of JSON\.parse of the whole$/,
      'Speed of the parser, relative to `JSON.parse` of the whole reply',
    ],
    [
      /^ucctl sync, rows per second of SQLite alone$/,
      'Rows per second of `ucctl sync`, relative to SQLite alone',
    ],
    [/^ucctl sync, peak memory$/, 'Peak memory of `ucctl sync`'],
    [/^search, (.+)$/, 'Time of a search, $1'],
  ],
  download: [
    [/^(\d+ MiB), throughput to (.+)$/, 'Download of $1: throughput relative to `$2`'],
    [/^(\d+ MiB), peak memory$/, 'Download of $1: peak memory'],
    [
      /^(\d+) MB\/s a connection, of (\d+) connections' worth$/,
      'Server with $1 MB/s per connection: share of the throughput of $2 connections',
    ],
    [/^the same, to (.+)$/, 'Server with a limit per connection: throughput relative to `$1`'],
    [/^(\d+) recordings, to curl --parallel$/, '$1 recordings: speed relative to `curl --parallel`'],
    [
      /^(\d+) recordings, to curl --parallel, each answered after (.+)$/,
      '$1 recordings, $2 per response: speed relative to `curl --parallel`',
    ],
  ],
  calllog: [
    [/^(\d+) records as ndjson, peak memory$/, 'Peak memory for $1 records as NDJSON'],
    [/^the same, to that of ([\d,]+) records$/, 'Peak memory, relative to a log of $1 records'],
    [/^records a second$/, 'Records per second'],
  ],
  store: [
    [/^(\d+) call records, of COPY alone$/, 'Speed of storing $1 call records, relative to COPY alone'],
    [/^report: (.+), of SQLite$/, 'Report of $1: time, relative to SQLite'],
    [/^search for (.+), 95th percentile$/, 'Search for $1, 95th percentile'],
  ],
  listener: [
    [
      /^durable acknowledgement, of a bare server$/,
      'Throughput with every event on disk, relative to a bare server',
    ],
    [
      /^wait at (\d+)\/s, (\S+ percentile) \(bare server (\S+ ms), one sync of the disk (\S+ ms)\)$/,
      'Latency at $1 events per second, $2 (bare server: $3, one synced write: $4)',
    ],
    [/^memory growth over (\d+) unread events$/, 'Memory growth with $1 unread events'],
  ],
  socket: [
    [
      /^rate with every event on disk, of a bare client$/,
      'Rate with every event on disk, relative to a bare client',
    ],
    [
      /^wait at (\d+)\/s until the event is shown, (\S+ percentile), of a bare client \((\S+ ms)\)$/,
      'Latency at $1 events per second until shown, $2, relative to a bare client ($3)',
    ],
    [/^memory growth over (\d+) events$/, 'Memory growth from the first to the second half of $1 events'],
    [/^peak memory over (\d+) events$/, 'Peak memory over $1 events'],
  ],
  live: [
    [
      /^(\w+), event to line at (\d+)\/s, (\S+ percentile), over a bare receiver \((\S+ ms)\)$/,
      'Event to line by $1 at $2 events per second, $3: additional time to a bare receiver ($4)',
    ],
  ],
  embedded: [
    [
      /^startSandbox\(\), first, with the import of the library$/,
      'First `startSandbox()`, with the import of the library',
    ],
    [/^startSandbox\(\), each further one$/, 'Each further `startSandbox()`'],
    [/^startSandbox\(\), memory of each further one$/, 'Memory of each further `startSandbox()`'],
  ],
  screen: [
    [
      /^first screen of the console after sandbox start --open$/,
      'From `ucctl sandbox start --open` to the first screen of the page',
    ],
  ],
  checkout: [
    [/^npm ci && npm run demo after a clone$/, '`npm ci && npm run demo` after a clone'],
    [/^npm test$/, '`npm test` after a clone'],
  ],
  console: [
    [
      /^first view of (\w+), of a page with one fixed row$/,
      'First view of $1, relative to the page with one row',
    ],
    [
      /^search of (\w+), in addition to the server$/,
      'Search of $1: time in addition to the reply of the server',
    ],
    [
      /^memory growth over (\d+) events at (\d+)\/s$/,
      'Memory growth of the page over $1 events, $2 per second',
    ],
  ],
  scale: [
    [/^(\w+): exponent of (\w+)$/, 'Growth of $2 with the number of $1, exponent'],
    [/^(\w+): peak memory for ten times the work$/, 'Peak memory with ten times as many $1, ratio'],
  ],
  mailboxes: [
    [
      /^sync --extension all, (\S+) mailboxes, speed compared with one mailbox at a time$/,
      '`sync --extension all`, $1 mailboxes: speed relative to one mailbox at a time',
    ],
    [
      /^sync --extension all, (\S+) mailboxes, time compared with the requests alone$/,
      '`sync --extension all`, $1 mailboxes: time relative to the requests alone',
    ],
    [
      /^minimal copy of (\S+) mailboxes, time compared with the requests alone$/,
      'Minimal program that copies $1 mailboxes: time relative to the requests alone',
    ],
  ],
  day: [
    [/^requests refused with 429$/, 'Requests rejected with 429'],
    [/^events posted and not in the inbox$/, 'Events that were sent but are not in the inbox'],
    [/^events received a second$/, 'Events received per second'],
    [/^(\d+) assignments applied in time: exit$/, 'Exit code of the command that applies $1 assignments'],
    [/^mailboxes in the copy$/, 'Mailboxes in the copy'],
    [
      /^memory of the mirror, last quarter to second$/,
      'Memory of the sync: last quarter of the run, relative to the second quarter',
    ],
    [
      /^memory of the (\w+), last quarter to second$/,
      'Memory of the $1: last quarter of the run, relative to the second quarter',
    ],
  ],
  profile: [
    [/^Node: starting$/, 'Node: start-up'],
    [/^Node: its own packages$/, 'Node: bundled packages'],
    [/^collecting garbage$/, 'Garbage collection'],
    [
      /^V8 and the system: starting, compiling, native code$/,
      'V8 and the operating system: start-up, compilation, native code',
    ],
    [/^native functions$/, 'Native functions'],
    [/^parts below 1 %$/, 'Parts below 1 %'],
    [/^program: bin$/, 'ucctl: launcher'],
    [/^program: the command itself$/, 'ucctl: the command'],
    [/^program: (.+)$/, 'ucctl: $1'],
  ],
};

/** The title of a result in the tables of bench/README.md; its name if it has no title. */
export function titleOf(benchmark: string, name: string): string {
  const rule = rules[benchmark]?.find(([pattern]) => pattern.test(name));
  return rule ? name.replace(rule[0], rule[1]) : name;
}
