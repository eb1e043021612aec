import { scheduleText } from './schedule-text.ts';

/** Formats a schedule, or the numbers of a rule, as text for people; undefined for any other value. */
export function settingText(value: unknown): string | undefined {
  return scheduleText(value) ?? numbersText(value);
}

/** Returns callers or called numbers, such as `+14155550100 (Ada), +14155550101`. */
function numbersText(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const texts = value.map(numberText);
  return texts.includes(undefined) ? undefined : texts.join(', ');
}

/** Undefined for an entry with other members, because they would be hidden. */
function numberText(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { callerId, phoneNumber, name, ...others } = entry as Readonly<Record<string, unknown>>;
  const parts = [callerId, phoneNumber, name].filter((part) => part !== undefined);
  const isPlain = Object.keys(others).length === 0 && parts.every((part) => typeof part === 'string');
  if (!isPlain || parts.length === 0 || (callerId !== undefined && phoneNumber !== undefined))
    return undefined;
  const [first = '', second] = parts;
  return second === undefined ? first : `${first} (${second})`;
}
