/** Counters of a running sandbox by name and label. They are in memory and start at 0. */
export class Metrics {
  readonly #counts = new Map<string, Map<string, number>>();

  count(name: string, label: string): void {
    const labels = this.#counts.get(name) ?? new Map<string, number>();
    this.#counts.set(name, labels);
    labels.set(label, (labels.get(label) ?? 0) + 1);
  }

  of(name: string): ReadonlyMap<string, number> {
    return this.#counts.get(name) ?? new Map();
  }
}
