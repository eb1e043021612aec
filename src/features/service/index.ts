export type { GaugeMetric, Metrics } from './metrics.ts';
export { runService, type Service } from './service.ts';
export { pingStore } from './ping-store.ts';
export { StoreHealth } from './store-health.ts';
