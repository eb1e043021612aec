/** Whether a host name, with or without the brackets of a URL, means this machine. Plain http is for this machine only. */
export function isLoopback(hostname: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[::1\]|::1|localhost)$/i.test(hostname);
}
