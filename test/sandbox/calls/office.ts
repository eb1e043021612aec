import { startSandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import type { Answer } from '../request.ts';

export const outside = '+14155550199';

/** A sandbox without a socket. */
export function quietSandbox(settings: SandboxOptions['settings'] = {}) {
  return startSandbox({ listen: false, settings });
}

/** Parts of a multipart/mixed reply, parsed. */
export function partsOf(answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  const boundary = /boundary=(\S+)/.exec(answer.headers.get('content-type') ?? '')?.[1] ?? 'none';
  const text = String(answer.body['text']);
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => JSON.parse(part.split('\r\n\r\n')[1] ?? '') as Record<string, unknown>);
}
