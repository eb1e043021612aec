import { dialects, type DialectName } from '../../contract/dialects.ts';
import type { Walk } from './walk.ts';

/** The environment of the walk, as the report shows it. */
export interface ReportFacts {
  /** Version of ucctl. */
  readonly version: string;
  /** Operating system and processor. */
  readonly platform: string;
  readonly dialect: DialectName;
  /** Where the dialect was set: a flag, a variable, the profile or the default. */
  readonly dialectOrigin: string;
}

/** Returns a report as one text: an introduction for its reader, tables, and a JSON part for programs. */
export function reportText(walk: Walk, facts: ReportFacts): string {
  return [
    ...head,
    ...findingLines(walk, facts),
    ...readLines(walk),
    ...memberLines(walk),
    ...jsonLines(walk, facts),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

const head = [
  '# ucctl account report',
  '',
  'Attach this file to a bug report about the interface of a service. Read the file before you send it.',
  '',
  'It contains:',
  '',
  '- the GET requests of the contract that ucctl sent, with placeholders such as `{messageId}` for IDs',
  '- statuses, content types, error codes, and names of rate-limit headers',
  "- names and JSON types of reply members, compared with ucctl's contract",
  '- ucctl version, operating system, processor type, and dialect',
  '',
  'It omits:',
  '',
  '- all values: names, numbers, texts, IDs, times, addresses, and enumeration values',
  '- the base URL, the account, the user, tokens, and header values',
  '- error messages, and error codes in an unknown form, which are shown as `(other)`',
  '- names of unknown members that may contain data, and everything below an unknown member',
  '- files, such as attachments and recordings, which ucctl did not request',
  '',
] as const;

function findingLines(walk: Walk, facts: ReportFacts): readonly string[] {
  const { dialect, dialectOrigin, version, platform } = facts;
  const sent = walk.reads.filter(({ notSent }) => notSent === undefined);
  const limited = sent.filter(({ rateHeaders = [] }) => rateHeaders.length > 0);
  const otherGroups = sent.filter(({ rateGroup }) => rateGroup === 'different').length;
  return [
    '## Findings',
    '',
    `- ucctl ${version}, ${platform}`,
    `- Dialect in use: ${dialect} (${dialectOrigin})`,
    `- Dialects with an existing chat webhook path: ${chatText(walk.chatPathOf)}`,
    `- Live event transport in this dialect: ${dialects[dialect].liveTransport}`,
    `- File hosts: ${walk.fileHosts.join(', ') || 'no file listed'}`,
    `- IDs above 2^53: ${walk.hasLongIds ? 'found' : 'not found'}`,
    `- Rate-limit headers: in ${limited.length} of ${sent.length} replies; usage group differs from the contract: ${otherGroups}`,
    '',
  ];
}

function chatText(found: Walk['chatPathOf']): string {
  if (found === undefined) return 'unknown';
  return found.length === 0 ? 'none' : found.join(', ');
}

function readLines({ reads }: Walk): readonly string[] {
  return [
    '## Requests',
    '',
    '| Operation | Request | Result | Error codes |',
    '|---|---|---|---|',
    ...reads.map((read) => {
      const query = read.query.length === 0 ? '' : `?${read.query.join('&')}`;
      const codes = (read.errorCodes ?? []).join(', ');
      return `| ${read.operation} | ${read.method} ${read.path}${query} | ${resultText(read)} | ${codes} |`;
    }),
    '',
  ];
}

function resultText(read: Walk['reads'][number]): string {
  if (read.notSent !== undefined) return `not sent: ${read.notSent}`;
  const { status, outcome, body, connectionError } = read;
  const parts = [
    status === undefined ? undefined : String(status),
    outcome === 'reply' ? undefined : outcome,
    connectionError,
    body === 'JSON' ? undefined : body,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

function memberLines({ operations }: Walk): readonly string[] {
  const parts = Object.entries(operations).flatMap(([name, found]) => {
    const lines = [
      ...listLine(
        'Unknown members',
        Object.entries(found.unknown).map(([path, types]) => `${path} (${types})`),
      ),
      ...(found.unknownOmitted === 0
        ? []
        : [`- Unknown members with omitted names: ${found.unknownOmitted}`]),
      ...listLine('Missing members', found.missing),
      ...listLine('Optional members not seen', found.missingOptional),
      ...listLine('Members with a different type', found.otherTypes),
    ];
    return [`### ${name}`, '', lines.length === 0 ? '- No differences' : lines.join('\n'), ''];
  });
  return ['## Differences from the contract', '', ...parts];
}

function listLine(label: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`- ${label}: ${names.map((name) => `\`${name}\``).join(', ')}`];
}

function jsonLines(walk: Walk, facts: ReportFacts): readonly string[] {
  const { reads, operations, chatPathOf, fileHosts, hasLongIds } = walk;
  const document = { format: 1, ...facts, chatPathOf, fileHosts, hasLongIds, reads, operations };
  return ['## Report as JSON', '', '```json', JSON.stringify(document, null, 2), '```'];
}
