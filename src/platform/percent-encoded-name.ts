/**
 * Encodes a file name for the extended parameter of a header, after `UTF-8''` (RFC 8187, RFC 2231). A half of a
 * surrogate pair becomes an underscore.
 */
export function percentEncodedName(name: string): string {
  return encodeURIComponent(name.replaceAll(/[\uD800-\uDFFF]/gu, '_')).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
}
