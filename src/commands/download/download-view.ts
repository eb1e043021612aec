import type { DownloadOutcome } from '../../features/download/index.ts';
import type { View } from '../../runtime/output.ts';
import { messageOf } from '../../errors/command.ts';

/** One file as the output shows it. */
export interface DownloadRow {
  readonly kind: string;
  readonly id: string;
  readonly status: 'downloaded' | 'resumed' | 'exists' | 'failed';
  readonly file: string | undefined;
  readonly bytes: number | undefined;
  readonly contentType: string | undefined;
  readonly sha256: string | undefined;
  readonly uri: string;
  readonly error: string | undefined;
}

/** One line of the result. */
export function toRow({ item, fetched, error }: DownloadOutcome): DownloadRow {
  return {
    kind: item.kind,
    id: item.id,
    status: fetched?.status ?? 'failed',
    file: fetched?.file,
    bytes: fetched?.bytes,
    contentType: fetched?.contentType,
    sha256: fetched?.sha256,
    uri: item.uri,
    error: fetched ? undefined : messageOf(error),
  };
}

export const downloadView: View<DownloadRow> = {
  columns: [
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status, priority: 8 },
    { key: 'kind', title: 'KIND', kind: 'text', value: (row) => row.kind, priority: 3 },
    { key: 'id', title: 'ID', kind: 'id', value: (row) => row.id, priority: 4 },
    { key: 'bytes', title: 'BYTES', kind: 'number', value: (row) => row.bytes, priority: 5 },
    { key: 'file', title: 'FILE', kind: 'text', value: (row) => row.file, priority: 7 },
    { key: 'sha256', title: 'SHA256', kind: 'id', value: (row) => row.sha256, priority: 0 },
    { key: 'error', title: 'ERROR', kind: 'text', value: (row) => row.error, priority: 6 },
  ],
  empty: 'Nothing to download.',
};
