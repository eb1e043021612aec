const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

/** The hours of each day of a week, such as `09:00-18:00`. */
export type Week = { readonly [day in (typeof days)[number]]?: string | null | undefined };

/** Returns the hours of a week with equal days together: `Mon-Fri 09:00-18:00; Sat-Sun closed`. */
export function weekText(week: Week): string {
  const parts: { readonly from: string; to: string; readonly hours: string }[] = [];
  for (const name of days) {
    const hours = week[name] ?? '';
    const short = `${name.slice(0, 1).toUpperCase()}${name.slice(1, 3)}`;
    const last = parts.at(-1);
    if (last?.hours === hours) last.to = short;
    else parts.push({ from: short, to: short, hours });
  }
  return parts
    .filter(({ hours }) => hours !== '')
    .map(({ from, to, hours }) => `${from === to ? from : `${from}-${to}`} ${hours}`)
    .join('; ');
}
