/** Whether the service has no such thing; told by name, so that the client need not be loaded. */
export function notFoundStatus(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'ApiError' &&
    (error as Error & { readonly status?: number }).status === 404
  );
}
