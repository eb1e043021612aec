import { dayMilliseconds } from '../../platform/day.ts';
import type { Client } from '../../client/index.ts';
import { dialects, type DialectName } from '../../contract/dialects.ts';
import { haveSameOwner } from '../../platform/registrable-domain.ts';
import { collectTexts, isMemberName, MemberCollector, readMembers, type MemberReport } from './members.ts';
import { readOnce, type Read, type ReadResult } from './one-read.ts';
import { idAt, otherReads, readSteps, textAt, type FoundIds, type ReadStep } from './read-steps.ts';
import type { ReadOperation } from './read-operation.ts';

/** The walk stops after this many reads in a row without a reply. */
const mostUnanswered = 3;
/** Period of the lists of messages and calls, in milliseconds: 30 days. */
const periodMilliseconds = 30 * dayMilliseconds;

/** One read of the report. */
export interface ReportedRead extends Partial<ReadResult> {
  readonly operation: string;
  readonly method: 'GET';
  /** Path of the contract, with placeholders for IDs. */
  readonly path: string;
  /** Names of the query parameters. */
  readonly query: readonly string[];
  /** The reason why the read was not sent. */
  readonly notSent?: string;
}

/** Requests, reply members and hosts that the walk collected. */
export interface Walk {
  readonly reads: readonly ReportedRead[];
  readonly operations: Readonly<Record<string, MemberReport>>;
  /** Dialects whose path of chat webhooks exists; undefined if the replies do not show it. */
  readonly chatPathOf: readonly DialectName[] | undefined;
  /** Hosts of files, compared with the host of the base URL. */
  readonly fileHosts: readonly ('same host' | 'same domain' | 'another domain')[];
  readonly hasLongIds: boolean;
}

export interface WalkSettings {
  readonly client: Client;
  readonly baseUrl: URL;
  readonly operations: Readonly<Record<string, ReadOperation>>;
  readonly dialect: DialectName;
  /** Base path of chat webhooks, which a setting can change. */
  readonly chatPath: string;
  readonly now: number;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** Calls the read operations of the contract, one after another, and records the form of the replies. */
export async function walkService(settings: WalkSettings): Promise<Walk> {
  const walker = new Walker(settings);
  const { onProgress } = settings;
  for (const [index, step] of readSteps.entries()) {
    onProgress(`${index + 1} of ${readSteps.length}: ${step.operation}`);
    await walker.take(step);
  }
  await walker.tryOtherChatPath();
  return walker.result();
}

class Walker {
  readonly #settings: WalkSettings;
  readonly #ids: FoundIds = new Map();
  readonly #reads: ReportedRead[] = [];
  readonly #collectors = new Map<string, MemberCollector>();
  /** Texts of all replies: the name of an unknown member that equals one of these texts can be data. */
  readonly #texts = new Set<string>();
  readonly #fileHosts = new Set<Walk['fileHosts'][number]>();
  readonly #chatStatuses = new Map<DialectName, number | undefined>();
  #hasLongIds = false;
  #unanswered = 0;
  #isSignedOut = false;

  constructor(settings: WalkSettings) {
    this.#settings = settings;
  }

  async take(step: ReadStep): Promise<void> {
    const operation = this.#settings.operations[step.operation];
    const { dialect } = this.#settings;
    if (!operation || operation.dialects?.includes(dialect) === false) return;
    const path = this.#pathOf(operation);
    const base = {
      operation: step.operation,
      method: 'GET' as const,
      path,
      query: Object.keys(step.query ?? {}),
    };
    const request = this.#requestOf(path, step.query ?? {});
    const notSent = this.#obstacle() ?? (request ? undefined : 'no earlier reply contains this ID');
    if (!request || notSent !== undefined) {
      this.#reads.push({ ...base, notSent: notSent ?? '' });
      return;
    }
    const { result, value } = await this.#read({ ...request, group: operation.group });
    this.#reads.push({ ...base, ...result });
    if (step.operation === 'listChatWebhooks') this.#chatStatuses.set(dialect, result.status);
    if (value === undefined) return;
    this.#collector(step.operation, operation).add(value);
    this.#learn(step, value);
  }

  /** Only one dialect has the path, so both statuses together identify the dialect. */
  async tryOtherChatPath(): Promise<void> {
    const other = this.#settings.dialect === 'spec' ? 'current' : 'spec';
    const path = `${dialects[other].chatPath}/webhooks`;
    const base = { operation: `listChatWebhooks of dialect ${other}`, method: 'GET' as const, path };
    const notSent = this.#obstacle();
    if (notSent !== undefined) {
      this.#reads.push({ ...base, query: [], notSent });
      return;
    }
    const read = await this.#read({ path, query: {}, group: undefined });
    this.#reads.push({ ...base, query: [], ...read.result });
    this.#chatStatuses.set(other, read.result.status);
  }

  result(): Walk {
    const mayShow = (name: string): boolean => isMemberName(name) && !this.#texts.has(name.toLowerCase());
    const { operations } = this.#settings;
    const skipped = Object.entries(otherReads).flatMap(([operation, notSent]): readonly ReportedRead[] => {
      const entry = operations[operation];
      return entry ? [{ operation, method: 'GET', path: this.#pathOf(entry), query: [], notSent }] : [];
    });
    return {
      reads: [...this.#reads, ...skipped],
      operations: Object.fromEntries(
        [...this.#collectors].map(([name, collector]) => [name, collector.result(mayShow)]),
      ),
      chatPathOf: this.#existingChatPaths(),
      fileHosts: [...this.#fileHosts].toSorted(),
      hasLongIds: this.#hasLongIds,
    };
  }

  #learn({ learns = {} }: ReadStep, value: unknown): void {
    for (const [name, at] of Object.entries(learns)) {
      const id = idAt(value, at);
      if (id !== undefined) this.#ids.set(name, id);
    }
  }

  #existingChatPaths(): readonly DialectName[] | undefined {
    const statuses = [...this.#chatStatuses];
    const isClear = statuses.length === 2 && statuses.every(([, status]) => tellsPath(status));
    return isClear ? statuses.flatMap(([name, status]) => (status === 404 ? [] : [name])) : undefined;
  }

  /** Returns the reason why no further request is sent. */
  #obstacle(): string | undefined {
    if (this.#isSignedOut) return 'the session has ended';
    return this.#unanswered < mostUnanswered
      ? undefined
      : `${mostUnanswered} consecutive requests had no reply`;
  }

  async #read(request: Parameters<typeof readOnce>[1]): Promise<Read> {
    const { client, signal } = this.#settings;
    const read = await readOnce(client, request, signal);
    this.#unanswered = read.result.outcome === 'no reply' ? this.#unanswered + 1 : 0;
    this.#isSignedOut ||= read.result.outcome === 'sign-in required';
    this.#hasLongIds ||= read.hasLongIds;
    collectTexts(read.anyValue, this.#texts);
    await this.#collectFileHosts(read.value);
    return read;
  }

  #pathOf({ path, currentPath }: ReadOperation): string {
    const { dialect, chatPath } = this.#settings;
    const own = dialect === 'current' ? (currentPath ?? path) : path;
    return own.replace(dialects[dialect].chatPath, chatPath);
  }

  /** Returns the request of a read; undefined if an ID is not known. */
  #requestOf(
    path: string,
    query: Readonly<Record<string, string>>,
  ): { readonly path: string; readonly query: Readonly<Record<string, string>> } | undefined {
    const { now } = this.#settings;
    const known: FoundIds = new Map([...this.#ids, ['accountId', '~'], ['extensionId', '~']]);
    known.set('periodStart', new Date(now - periodMilliseconds).toISOString());
    const names = [path, ...Object.values(query)].flatMap((text) =>
      [...text.matchAll(placeholder)].map(([, name = '']) => name),
    );
    if (names.some((name) => !known.has(name))) return undefined;
    const filled = (text: string): string =>
      text.replaceAll(placeholder, (_, name: string) => known.get(name) ?? '');
    return {
      path: path.replaceAll(placeholder, (_, name: string) => encodeURIComponent(known.get(name) ?? '')),
      query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, filled(value)])),
    };
  }

  #collector(name: string, operation: ReadOperation): MemberCollector {
    const known = this.#collectors.get(name) ?? new MemberCollector(readMembers(operation.members));
    this.#collectors.set(name, known);
    return known;
  }

  /** Compares the hosts of attachments and recordings with the host of the base URL. */
  async #collectFileHosts(value: unknown): Promise<void> {
    const { baseUrl } = this.#settings;
    const uris = ['attachments[].uri', 'recording.contentUri', 'contentUri'].flatMap((path) => [
      textAt(value, path),
      textAt(value, `records[].${path}`),
    ]);
    for (const uri of uris) {
      if (uri === undefined || !URL.canParse(uri)) continue;
      const { host, hostname } = new URL(uri);
      const isRelated = await haveSameOwner(hostname, baseUrl.hostname);
      const otherHost = isRelated ? 'same domain' : 'another domain';
      this.#fileHosts.add(host === baseUrl.host ? 'same host' : otherHost);
    }
  }
}

const placeholder = /\{(\w+)\}/g;

/** Whether a status shows that a path exists or does not exist. */
function tellsPath(status: number | undefined): boolean {
  return status === 200 || status === 403 || status === 404;
}
