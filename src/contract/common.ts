import { z } from 'zod';

/** An ID that may exceed 2^53: a number if a double can hold it exactly, otherwise a string of its digits. */
export const Id = z.union([z.int(), z.string().regex(/^\d+$/)]);
export type Id = z.infer<typeof Id>;

/** An ID of any length in a query. */
export const Digits = z.string().regex(/^\d+$/);

/** A time in ISO 8601 format and UTC. */
export const Timestamp = z.iso.datetime({ offset: true });
/** A country as an ISO 3166 alpha-2 code. */
export const countryCode = z.string().regex(/^[A-Za-z]{2}$/);
export const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/);

/**
 * An enumeration in a reply. The sandbox must use one of the values. The type stays open, because the service may add
 * values and clients must accept them.
 */
export function openEnum<const V extends readonly [string, ...string[]]>(
  values: V,
): z.ZodType<V[number] | (string & {})> {
  return z.enum(values);
}

/** Position of a page; `page` counts from 1, `pageStart` and `pageEnd` from 0, both inclusive (BASE-31). */
export const Paging = z.strictObject({
  page: z.int(),
  perPage: z.int(),
  pageStart: z.int().optional(),
  pageEnd: z.int().optional(),
  totalPages: z.int().optional(),
  totalElements: z.int().optional(),
});
export type Paging = z.infer<typeof Paging>;

const PageLink = z.strictObject({ uri: z.url() });
const Navigation = z.strictObject({
  firstPage: PageLink.optional(),
  nextPage: PageLink.optional(),
  previousPage: PageLink.optional(),
  lastPage: PageLink.optional(),
});

/** Creates the schema of the envelope of a paged list (BASE-28 to BASE-32). */
export function listOf<T extends z.ZodType>(record: T) {
  return z.strictObject({
    uri: z.url(),
    records: z.array(record),
    paging: Paging.optional(),
    navigation: Navigation.optional(),
  });
}
/** A paged list, as typed for clients. */
export interface List<T> {
  readonly uri?: string;
  readonly records: readonly T[];
  readonly paging?: Paging | undefined;
  readonly navigation?: { readonly nextPage?: { readonly uri: string } | undefined } | undefined;
}

/**
 * Returns the number that a text in decimal digits stands for. Any other value stays unchanged, so that a schema for
 * numbers rejects other text, such as `1e2` and `0x10`.
 */
export function numberOfText(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
}
/** A number of items in a query, which arrives as text. */
export const Count = z.preprocess(numberOfText, z.int().min(1));
/** Page size in a body. A value above the maximum is reduced, not rejected. */
export const PageSize = z
  .number()
  .min(1)
  .transform((size) => Math.min(size, Number.MAX_SAFE_INTEGER))
  .pipe(z.int());
/** Page size in a query, which arrives as text. */
export const PerPage = z.preprocess(numberOfText, PageSize);
/** Paging parameters of a query. An invalid value is rejected with CMN-101 (BASE-34). */
export const PageQuery = z.object({ page: Count.optional(), perPage: PerPage.optional() });

/** Creates the schema of a query parameter that may be given once, repeatedly, or with commas. */
export function multi<T extends z.ZodType<string>>(item: T) {
  const schema = z.preprocess(
    (value: string | readonly string[] | undefined) =>
      value === undefined ? undefined : [value].flat().flatMap((part) => part.split(',')),
    z.array(item).optional(),
  );
  multis.add(schema);
  return schema;
}

const multis = new WeakSet<z.ZodType>();

/** Returns whether a query schema takes several values of this parameter. */
export function takesSeveral(query: z.ZodType, name: string): boolean {
  if (!(query instanceof z.ZodObject)) return false;
  const shape: Readonly<Record<string, unknown>> = query.shape;
  return Object.hasOwn(shape, name) && multis.has(shape[name] as z.ZodType);
}
/** A boolean query parameter. */
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Account and extension in a path: digits, or `~` for the account and extension of the signed-in user. */
export const PathId = z.string().regex(/^(~|\d+)$/);

/**
 * Path parameters whose IDs may contain any characters. Other parameters, except account and extension, contain only
 * digits.
 */
export const opaquePathIds: ReadonlySet<string> = new Set([
  'callRecordId',
  'subscriptionId',
  'subscriberKey',
  'channel',
  'webhookId',
  'webhookKey',
  'ringoutId',
  'taskId',
  'ruleId',
]);
