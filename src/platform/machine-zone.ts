import { dayMilliseconds } from './day.ts';

/** Values of TZ that mean UTC, and paths of zone files, which Node reads from the operating system. */
const utcOrFile = /^:?(?:\/.*|(?:etc\/)?(?:utc|uct|gmt|zulu|universal|greenwich)(?:[+-]?0+)?)$/i;

/** The time zone that Node uses for this process. */
export interface UsedZone {
  readonly zone: string | undefined;
  /** Whether its time differs from UTC at present or half a year later. */
  readonly hasOffset: boolean;
}

/** Returns the time zone that Node uses. `now` is the present time in milliseconds since 1970. */
export function zoneOfProcess(now: number): UsedZone {
  const halfYear = 182 * dayMilliseconds;
  return {
    zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    hasOffset: [now, now + halfYear].some((at) => new Date(at).getTimezoneOffset() !== 0),
  };
}

/**
 * Returns TZ if Node does not know its time zone, and therefore silently uses UTC. This applies to rules such as
 * `EST5EDT,M3.2.0,M11.1.0`, which other programs understand, and to misspelled names.
 */
export function unknownMachineZone(
  tz: string | undefined,
  { zone, hasOffset }: UsedZone,
): string | undefined {
  if (tz === undefined || tz === '' || utcOrFile.test(tz)) return undefined;
  const isUtc = zone === undefined || zone === 'UTC' || zone === 'Etc/Unknown';
  return isUtc && !hasOffset ? tz : undefined;
}
