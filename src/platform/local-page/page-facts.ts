import type { PageRoute } from './page-route.ts';
import type { PageFacts } from './types.ts';

/** The route from which the page reads its views. */
export function factsRoute(facts: PageFacts): PageRoute {
  return { method: 'GET', path: '/api/page', answer: () => facts };
}
