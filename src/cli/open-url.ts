/** A browser that fails does so at once; one that runs this long has the page. */
const visibleFailure = 2000;

/**
 * Opens the system's browser, or the program that BROWSER names, on a web page.
 * @returns false when the program is missing or visibly failed. Anything but http and https is refused.
 */
export async function openUrl(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  const { default: open } = await import('open');
  // BROWSER is a list; `%s` in an entry stands for the address, which comes last anyway.
  const [name, ...args] = (env['BROWSER']?.split(':')[0] ?? '').split(' ').filter((word) => word !== '%s');
  try {
    const child = await open(url, name ? { app: { name, arguments: args } } : {});
    return await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(true), visibleFailure);
      const settle = (worked: boolean): void => {
        clearTimeout(timer);
        resolve(worked);
      };
      if (child.exitCode !== null) settle(child.exitCode === 0);
      child.once('error', () => settle(false));
      child.once('exit', (code) => settle(code === 0));
    });
  } catch {
    // What went wrong does not matter to the caller: the address is shown for copying instead.
    return false;
  }
}
