import { zoneOffset } from './moment.ts';

/**
 * Returns the problem with the name of a time zone that a user chose; undefined for UTC, GMT and names such as
 * Europe/Paris. Abbreviations are a problem, because they can mean several zones: the library reads BST as Asia/Dhaka.
 */
export function zoneProblem(zone: string): string | undefined {
  if (!zone.includes('/') && !/^(?:UTC|GMT)$/i.test(zone))
    return `"${zone}" is not the full name of a time zone`;
  try {
    zoneOffset(0, zone);
    return undefined;
  } catch {
    return `unknown time zone "${zone}"`;
  }
}
