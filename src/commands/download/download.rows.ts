import type { DownloadOutcome } from '../../features/download/index.ts';
import { messageOf } from '../../errors/command.ts';
import { integer, oneOf, optional, text } from '../../runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';

/** A downloaded file, or the reason why the download failed. */
export type DownloadRow = RowOf<typeof downloadRows>;

export const downloadRows = rows(
  { source: source<DownloadOutcome>(), empty: 'Nothing to download.' },
  {
    kind: { schema: text, from: ({ item }) => item.kind, title: 'KIND', kind: 'text', priority: 3 },
    id: { schema: text, from: ({ item }) => item.id, title: 'ID', kind: 'id', priority: 4 },
    status: {
      schema: oneOf('downloaded', 'resumed', 'exists', 'failed', 'planned'),
      from: ({ fetched }) => fetched?.status ?? 'failed',
      title: 'STATUS',
      kind: 'status',
      priority: 8,
    },
    file: {
      schema: optional(text),
      from: ({ fetched }) => fetched?.file,
      title: 'FILE',
      kind: 'text',
      priority: 7,
      whole: true,
      below: '',
    },
    bytes: {
      schema: optional(integer),
      from: ({ fetched }) => fetched?.bytes,
      title: 'BYTES',
      kind: 'number',
      priority: 5,
    },
    contentType: { schema: optional(text), from: ({ fetched }) => fetched?.contentType },
    sha256: {
      schema: optional(text),
      from: ({ fetched }) => fetched?.sha256,
      title: 'SHA256',
      kind: 'id',
      priority: 0,
    },
    uri: { schema: text, from: ({ item }) => item.uri },
    problem: {
      schema: optional(text),
      from: ({ fetched, error }) => (fetched ? undefined : messageOf(error)),
      title: 'PROBLEM',
      priority: 6,
      folds: true,
      least: 40,
      below: '',
    },
  },
);

/** Columns of the table, from the left. */
export const downloadColumns = ['status', 'kind', 'id', 'bytes', 'file', 'sha256', 'problem'];
