import { useRef } from 'preact/hooks';

/** A value of the latest drawing, for a function that runs later and would otherwise use the value of its own drawing. */
export function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}
