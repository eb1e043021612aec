import { type CustomTypesConfig, types } from 'pg';
import { parserOf } from '../../../platform/postgres/connection.ts';

/**
 * The client library would convert these values with loss: a date and a time without time zone to a time in the zone of
 * this machine, which can be another day, and JSON to numbers that lack digits of long IDs.
 */
const asText = new Set<number>([
  types.builtins.DATE,
  types.builtins.TIMESTAMP,
  types.builtins.INTERVAL,
  types.builtins.JSON,
  types.builtins.JSONB,
]);
const asNumber = new Set<number>([types.builtins.FLOAT4, types.builtins.FLOAT8]);
const asTime = new Set<number>([types.builtins.TIMESTAMPTZ]);
/** Arrays of these types, and the array of texts. The library has no names for them. */
const asTextArray = new Set([1182, 1115, 1187, 199, 3807]);
const textArray = 1009;

/** The parsers for the answer to a statement of the user. */
export const answerTypes: CustomTypesConfig = {
  getTypeParser: (oid: number): ((text: string) => unknown) => {
    if (asText.has(oid)) return (text) => text;
    if (asTime.has(oid)) return time;
    if (asNumber.has(oid)) return float;
    return parserOf(asTextArray.has(oid) ? textArray : oid);
  },
};

const parseTime = types.getTypeParser(types.builtins.TIMESTAMPTZ) as (text: string) => unknown;

/** Returns a time in ISO 8601, or the text if it is outside the range of `Date`, such as `infinity`. */
function time(text: string): string {
  const parsed = parseTime(text);
  return parsed instanceof Date && !Number.isNaN(parsed.getTime()) ? parsed.toISOString() : text;
}

/** Returns a number, or the text of a value that JSON lacks, such as `NaN`. */
function float(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}
