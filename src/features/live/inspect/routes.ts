import { PageError, type PageRequest, type PageRoute } from '../../../platform/local-page/page-route.ts';
import type { InspectApi } from './api.ts';
import type { ReplayResult } from './types.ts';

/** The routes of the Live view. The last route sends requests to programs, so a read-only page does not have it. */
export function inspectRoutes(api: InspectApi): readonly PageRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/events',
      answer: ({ query, signal }) => {
        const filter = { text: query.get('text') ?? '', kind: query.get('kind') ?? '' };
        const after = query.get('after');
        return after === null ? api.newest(filter) : api.poll(Number(after), filter, signal);
      },
    },
    {
      method: 'GET',
      path: '/api/events/:id',
      answer: ({ params }) => api.detail(Number(params['id'])) ?? notFound(),
    },
    { method: 'GET', path: '/api/receiving', answer: () => api.receiving() },
    { method: 'POST', path: '/api/replay', answer: (request) => replay(request, api) },
  ];
}

async function replay({ body, signal }: PageRequest, api: InspectApi): Promise<ReplayResult> {
  if (!isReplay(body)) throw new PageError(400, 'id and url are required');
  try {
    return (await api.replay(body.id, body.url, body.text, signal)) ?? notFound();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { isDelivered: false, problem: error.message, milliseconds: 0 };
  }
}

function notFound(): never {
  throw new PageError(404, 'event not found');
}

interface ReplayRequest {
  readonly id: number;
  readonly url: string;
  readonly text?: string;
}

function isReplay(value: unknown): value is ReplayRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { id, url, text } = value as Partial<Record<keyof ReplayRequest, unknown>>;
  return (
    typeof id === 'number' && typeof url === 'string' && (text === undefined || typeof text === 'string')
  );
}
