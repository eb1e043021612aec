const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const shades = ['·', '░', '▒', '▓', '█'];

/** Returns a bar of at most `width` characters, exact to an eighth of a character. */
export function bar(value: number, most: number, width: number): string {
  if (most <= 0 || value <= 0) return '';
  const parts = Math.max(1, Math.round((value / most) * width * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** Returns a sparkline of values, with one character for each value. */
export function sparkline(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  return values
    .map((value) => (value === 0 ? ' ' : (levels[Math.min(7, Math.floor((value / most) * 7.999))] ?? '█')))
    .join('');
}

/** One cell of a heat map, two characters wide. */
export function shade(value: number, most: number): string {
  const index = value <= 0 || most <= 0 ? 0 : Math.min(4, 1 + Math.floor((value / most) * 3.999));
  return (shades[index] ?? '█').repeat(2);
}
