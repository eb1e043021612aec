/** Where a piece of work stands, for those who see no picture of it. */
export interface ProgressLines {
  update(text: string): void;
  /** Says where the work stands once more, when the time for it has come. */
  again(): void;
}

/** Passes on one text every 10 s; a short piece of work says nothing. */
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
