import { arch, platform } from 'node:os';
import type { Client } from '../../client/index.ts';
import type { Settings } from '../../runtime/settings.ts';
import readOperations from './read-operations.json';
import type { ReadOperation } from './read-operation.ts';
import { reportText } from './report.ts';
import { walkService, type Walk } from './walk.ts';

/** The report about a service, and the counts for the message to the user. */
export interface AccountReport {
  readonly text: string;
  readonly sent: number;
  readonly failed: number;
  readonly notSent: number;
}

export interface AccountReportSource {
  readonly client: Client;
  readonly settings: Settings;
  readonly version: string;
  readonly now: number;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}

/** Reads the service with every GET operation of the contract, and describes its replies without their values. */
export async function accountReport(source: AccountReportSource): Promise<AccountReport> {
  const { client, settings, version, now, signal, onProgress } = source;
  const { dialect, chatPath, baseUrl } = settings;
  const operations: Readonly<Record<string, ReadOperation>> = readOperations as Readonly<
    Record<string, ReadOperation>
  >;
  const walk = await walkService({
    client,
    baseUrl: new URL(baseUrl.value ?? ''),
    operations,
    dialect: dialect.value,
    chatPath: chatPath.value,
    now,
    signal,
    onProgress,
  });
  const text = reportText(walk, {
    version,
    platform: `${platform()} ${arch()}`,
    dialect: dialect.value,
    dialectOrigin: dialect.origin,
  });
  return { text, ...counts(walk) };
}

function counts({ reads }: Walk): Pick<AccountReport, 'sent' | 'failed' | 'notSent'> {
  const sent = reads.filter(({ notSent }) => notSent === undefined);
  const failed = sent.filter(({ status, body }) => status !== 200 || body !== 'JSON');
  return { sent: sent.length, failed: failed.length, notSent: reads.length - sent.length };
}
