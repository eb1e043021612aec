/** Close codes without a separate status: normal, going away, none, abnormal. */
const plainCodes = new Set([1000, 1001, 1005, 1006]);

/** Returns a phrase for messages. @param serviceCode error code of the service, such as `WSG-903`. */
export function closeReason(code: number, serviceCode: string | undefined): string {
  if (serviceCode !== undefined) return `the service closed the connection (${serviceCode})`;
  return plainCodes.has(code) ? 'the connection was lost' : `the service closed the connection (${code})`;
}
