import { pathToFileURL } from 'node:url';

/** Milliseconds after which a running browser counts as successful, because failures occur earlier. */
const failureMilliseconds = 2000;

/**
 * Opens the system's browser, or the program that BROWSER names, on a web page.
 * @returns false if the program is missing or failed, or if the address is neither http nor https.
 */
export async function openUrl(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false;
  return startBrowser(url, env);
}

/** Like `openUrl`, for a page in a file of this program. */
export function openPageFile(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  return startBrowser(pathToFileURL(file).href, env);
}

async function startBrowser(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const { default: open } = await import('open');
  // BROWSER is a list separated by colons. `%s` stands for the address, which is always the last argument.
  const [name, ...args] = (env['BROWSER']?.split(':')[0] ?? '').split(' ').filter((word) => word !== '%s');
  try {
    const child = await open(url, name ? { app: { name, arguments: args } } : {});
    return await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(true), failureMilliseconds);
      const settle = (worked: boolean): void => {
        clearTimeout(timer);
        resolve(worked);
      };
      if (child.exitCode !== null) settle(child.exitCode === 0);
      child.once('error', () => settle(false));
      child.once('exit', (code) => settle(code === 0));
    });
  } catch {
    // The reason for the failure is ignored, because the caller shows the address for copying.
    return false;
  }
}
