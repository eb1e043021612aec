import { computed, signal } from '@preact/signals';

interface ClockState {
  /** Time of the sandbox in milliseconds since 1970 at the moment of the read. */
  readonly time: number;
  /** `real`, `frozen` or a speed such as `60x`. */
  readonly mode: string;
  /** Time of this machine, which the sandbox also uses, at the moment of the read. */
  readonly readAt: number;
}

const state = signal<ClockState | undefined>(undefined);
const tick = signal(0);

/** Stores the time that the sandbox reported. */
export function setClock(iso: string, mode: string): void {
  state.value = { time: new Date(iso).getTime(), mode, readAt: Date.now() };
}

/** The mode of the sandbox clock; undefined before it was read. */
export const clockMode = computed(() => state.value?.mode);

/** The time of the sandbox in milliseconds since 1970, updated every second; undefined before it was read. */
export const sandboxNow = computed(() => {
  void tick.value;
  const clock = state.value;
  if (!clock) return undefined;
  if (clock.mode === 'frozen') return clock.time;
  const speed = clock.mode === 'real' ? 1 : Number.parseFloat(clock.mode);
  return clock.time + (Date.now() - clock.readAt) * speed;
});

/** Updates the time every second while the page is open. */
export function runClock(): void {
  setInterval(() => {
    tick.value += 1;
  }, 1000);
}
