/** Progress as lines of text, where no spinner is shown. */
export interface ProgressLines {
  update(text: string): void;
  /** Repeats the latest progress if 10 s have passed since the last line. */
  again(): void;
}

/** Reports the latest text every 10 s; shorter work reports nothing. */
export function everyTenSeconds(now: () => number, say: (text: string) => void): ProgressLines {
  let last = now();
  let latest: string | undefined;
  const again = (): void => {
    if (latest === undefined || now() - last < 10_000) return;
    last = now();
    say(latest);
  };
  return {
    again,
    update(text) {
      latest = text;
      again();
    },
  };
}
