/**
 * Returns the part of a reply that a media player requests, so that users can seek in a recording. Other requests, and
 * requests for several parts, get the whole reply (RFC 9110, 14.2).
 */
export async function requestedPart(request: Request, reply: Response): Promise<Response> {
  const [, given = '', end = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get('range') ?? '') ?? [];
  if (given === '' || reply.headers.get('accept-ranges') !== 'bytes') return reply;
  const bytes = new Uint8Array(await reply.arrayBuffer());
  const first = Number(given);
  const last = Math.min(end === '' ? Number.POSITIVE_INFINITY : Number(end), bytes.length - 1);
  if (first > last) {
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${bytes.length}` } });
  }
  const headers = new Headers(reply.headers);
  headers.set('content-range', `bytes ${first}-${last}/${bytes.length}`);
  headers.set('content-length', String(last - first + 1));
  return new Response(bytes.slice(first, last + 1), { status: 206, headers });
}
