import { stringifyJson } from '../platform/json.ts';
import { maskValue } from '../platform/mask-secrets.ts';
import type { SentSecrets } from '../platform/sent-secrets.ts';
import { escapeJson } from '../platform/terminal-text.ts';
import type { LogEntry } from '../runtime/output.ts';

/**
 * Returns an entry of the structured log as one line: an object with `time` (ISO 8601 in UTC), `level`, `message` and
 * further members. Secrets of the requests so far are masked.
 */
export function logLine(entry: LogEntry, now: number, sent: SentSecrets | undefined): string {
  const { level, message, ...fields } = entry;
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const value = { time: new Date(now).toISOString(), level, message, ...known };
  return `${escapeJson(stringifyJson(sent ? maskValue(value, sent) : value))}\n`;
}
