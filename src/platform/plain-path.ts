/** A request's path as the service will read it: unescaped, in one case, without empty segments. For judging, not for sending. */
export function plainPath(path: string): string {
  let text = path;
  try {
    text = decodeURIComponent(path);
  } catch {
    // What cannot be unescaped is judged as it stands.
  }
  return text
    .toLowerCase()
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/+$/, '');
}
