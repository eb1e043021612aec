import type { FileUnderWay } from '../../features/download/index.ts';

const barWidth = 20;

/**
 * Returns the progress of one file: a bar, the received size, the name. There is no bar while the total size is
 * unknown.
 */
export function progressLine({ name, received, total }: FileUnderWay): string {
  if (total === undefined || total === 0)
    return `${' '.repeat(barWidth)}       ${sizeText(received)}  ${name}`;
  const share = Math.min(1, received / total);
  const full = Math.floor(share * barWidth);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${percent} %  ${sizeText(received)} of ${sizeText(total)}  ${name}`;
}

/** Formats a size, such as `12.3 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${['B', 'kB', 'MB', 'GB'][power] ?? 'GB'}`;
}
