/**
 * Whether a content type is that of JSON. A reply without a content type, or with that of unknown bytes (RFC 9110, 8.3),
 * may be JSON.
 */
export function isJsonType(contentType: string | undefined): boolean {
  const type = mediaType(contentType);
  return type === '' || /[/+]json$|^application\/octet-stream$/i.test(type);
}

/** Returns the media type of a content type without its parameters. */
export function mediaType(contentType = ''): string {
  return contentType.split(';', 1)[0]?.trim() ?? '';
}
