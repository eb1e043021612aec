import { ConnectionError } from '../../../src/errors/service.ts';
import { Journal, type JournalItem } from '../../../src/features/bulk/index.ts';
import { SentSecrets } from '../../../src/platform/sent-secrets.ts';

/** The payload of an item. */
export interface Named {
  readonly name: string;
}

/** Creates a run with an item for each name in a new journal of a folder. */
export function openNamedRun(folder: string, names: readonly string[], detail: object = {}) {
  const journal = Journal.open(folder, () => 1000, new SentSecrets());
  const run = journal.create<Named>({
    kind: 'test',
    title: 'a test',
    baseUrl: 'https://x.example',
    now: Date.UTC(2026, 0, 5, 9),
    detail,
    items: names.map((name) => ({ action: 'take', subject: name, payload: { name } })),
  });
  return { journal, run };
}

export const all = (items: readonly JournalItem<Named>[]) => new Set(items.map(({ seq }) => seq));
export const lost = () => new ConnectionError('ECONNRESET', 'unknown', 'https://x.example', undefined);
